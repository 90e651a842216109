# A type of strings that is written in C elsewhere.
CString = String unless defined?(CString)
