"""Contacts: eight rows by eight columns of reed switches, one diode a switch."""
