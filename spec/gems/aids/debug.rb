# A stand-in for the debugger, which needs a C extension.
