# A stand-in for the gem: only how results look.
