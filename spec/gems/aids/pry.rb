# A console that no suite opens.
