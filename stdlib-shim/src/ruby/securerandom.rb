require "random/formatter"
require "securerandom/native"

# What cannot be foreseen, from the machine's own source.
module SecureRandom
  extend Random::Formatter

  class << self
    def bytes(count) = gen_random(count)
  end
end
