"""The application: configuration, wiring, the loop, and the command line."""
