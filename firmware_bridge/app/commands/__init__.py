"""One module for each subcommand: `add_arguments(parser)` and `run(args) -> exit status`."""
