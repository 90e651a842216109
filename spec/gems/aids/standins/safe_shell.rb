# The suite that requires this runs no commands through it.
