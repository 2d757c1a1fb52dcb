"""Tables of records of any size: engines join, group and count; the arithmetic is that of the measures."""
