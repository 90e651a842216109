# The suite's metrics are not what is measured here.
module Hexx
  module RSpec
    def self.load_metrics_for(*) = nil
  end
  Suit = RSpec
end
