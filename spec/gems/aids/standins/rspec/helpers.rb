# Helpers that the examples which run do not use.
