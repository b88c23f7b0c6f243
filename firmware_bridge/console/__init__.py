"""What people see and say: pages, commands and the feed, served from inside the daemon."""
