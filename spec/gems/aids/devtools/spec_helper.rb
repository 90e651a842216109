# Stand-in: the part that loads the frameworks.
require "rspec"
require "rspec/its"
