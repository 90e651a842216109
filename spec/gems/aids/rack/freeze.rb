# Stand-in: nothing that the suites call.
