require "did_you_mean/native"

# DidYouMean: words that are like a mistyped one.
module DidYouMean
  VERSION = "1.6.1"

  class SpellChecker
    def initialize(dictionary:)
      @dictionary = dictionary
    end

    # The words of the dictionary that are like the input, best first.
    def correct(input) = DidYouMean.__like(input.to_s, @dictionary.map(&:to_s).join("\0")).map { |at| @dictionary[at] }
  end

  class Formatter
    def self.message_for(corrections) = corrections.empty? ? "" : "\nDid you mean?  #{corrections.join("\n               ")}"
  end

  class << self
    attr_writer :formatter
    def formatter = @formatter || Formatter
  end
end
