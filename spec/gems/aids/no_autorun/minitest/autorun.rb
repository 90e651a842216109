# the suite's own framework runs: Minitest's hook at the end does not
