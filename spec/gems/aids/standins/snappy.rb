# An extension that compresses; the examples that use it fail on both engines.
