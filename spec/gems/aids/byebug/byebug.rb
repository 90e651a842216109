# A debugger that no suite opens.
