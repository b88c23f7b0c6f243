"""The far end of the wires: hands, stories, a reference clock unit, whole archives replayed."""
