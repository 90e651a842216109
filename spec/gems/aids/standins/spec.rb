# RSpec under the name that it had first.
require "rspec"
Spec = RSpec unless defined?(Spec)
module RSpec
  module Runner
    def self.configure(&) = RSpec.configure(&)
  end
end
