"""Everything that decides: rules, arbiter, timing, link, record, console, app."""
