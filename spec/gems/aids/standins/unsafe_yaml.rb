# YAML that loads all classes, as it did when the suites were written.
require "yaml"
module YAML
  class << self
    alias load unsafe_load
    alias load_file unsafe_load_file
  end
end
