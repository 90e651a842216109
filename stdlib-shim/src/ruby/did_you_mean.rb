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

  # Suggests nothing.
  class NullChecker
    def initialize(*) = nil
    def corrections = []
  end

  class KeyErrorChecker
    def initialize(error)
      @key = error.key
      @keys = (@dictionary = error.receiver).keys
    end

    def corrections = @corrections ||= exact.empty? ? SpellChecker.new(dictionary: @keys).correct(@key).map(&:inspect) : exact

    private

    def exact = @keys.select { |word| @key == word.to_s }.map(&:inspect)
  end

  class PatternKeyNameChecker < KeyErrorChecker
    def initialize(error)
      @key = error.key
      @keys = error.matchee.keys
    end
  end

  class MethodNameChecker
    attr_reader :method_name, :receiver

    def initialize(error)
      @method_name = error.name
      @receiver = error.receiver
      @private_call = error.respond_to?(:private_call?) && error.private_call?
    end

    def corrections = @corrections ||= SpellChecker.new(dictionary: method_names).correct(method_name) - names_to_exclude

    def method_names
      names = receiver.methods + receiver.singleton_methods
      names += receiver.private_methods if @private_call
      names.uniq
    end

    def names_to_exclude = Object === receiver ? [] : [:then]
  end

  # Of errors that suggest what was meant. The engine's own say so by themselves; for others `to_s` does.
  module Correctable
    def to_s
      message = super.dup
      suggestion = DidYouMean.formatter.message_for(corrections)
      message.include?(suggestion) ? message : message << suggestion
    rescue StandardError
      super
    end

    def corrections = @corrections ||= spell_checker.corrections.to_a
    def spell_checker = DidYouMean.spell_checkers[self.class.to_s].new(self)
  end

  # `corrections` of the engine's own errors.
  module Corrections
    def corrections = @corrections ||= spell_checker.corrections.to_a
    def spell_checker = DidYouMean.spell_checkers[self.class.to_s].new(self)
  end
  private_constant :Corrections

  CHECKERS = Hash.new(NullChecker)
  private_constant :CHECKERS

  class << self
    attr_writer :formatter
    def formatter = @formatter || Formatter
    def spell_checkers = CHECKERS

    # Lets errors of a class suggest what the checker finds.
    def correct_error(error_class, checker)
      CHECKERS[error_class.to_s] = checker
      error_class.prepend(Correctable) unless error_class < Correctable || CORE.include?(error_class)
    end
  end

  CORE = { NoMethodError => MethodNameChecker, KeyError => KeyErrorChecker, NoMatchingPatternKeyError => PatternKeyNameChecker }.freeze
  private_constant :CORE
  CORE.each do |error, checker|
    CHECKERS[error.to_s] = checker
    error.include(Corrections)
  end
end
