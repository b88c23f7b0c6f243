"""From contacts to acts, from acts to findings, from findings to rulings: a pure state machine."""
