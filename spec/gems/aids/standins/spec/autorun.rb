# The same for files that run by themselves.
require "spec"
