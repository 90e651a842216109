require "did_you_mean/native"

# DidYouMean: words that are like a mistyped one.
module DidYouMean
  VERSION = "1.6.1"

  class SpellChecker
    def initialize(dictionary:)
      @dictionary = dictionary
    end

    # The words of the dictionary, which has `each`, that are like the input, best first.
    def correct(input)
      words = @dictionary.to_a
      DidYouMean.__like(input.to_s, words.map(&:to_s).join("\0")).map { |at| words[at] }
    end
  end

  class Formatter
    def message_for(corrections)
      warn("The instance method #message_for has been deprecated. Please use the class method DidYouMean::Formatter.message_for(...) instead.")
      self.class.message_for(corrections)
    end

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
    # What is never suggested for nil, and words of the language that a method may have been meant to be.
    NAMES_TO_EXCLUDE = { NilClass => nil.methods }
    NAMES_TO_EXCLUDE.default = []
    RB_RESERVED_WORDS = %i[alias case def defined? elsif end ensure for rescue super undef unless until when while yield]

    attr_reader :method_name, :receiver

    def initialize(error)
      @method_name = error.name
      @receiver = error.receiver
      @private_call = error.respond_to?(:private_call?) && error.private_call?
    end

    def corrections
      @corrections ||= begin
        words = method_names
        words += RB_RESERVED_WORDS if @private_call
        SpellChecker.new(dictionary: words).correct(method_name) - names_to_exclude - NAMES_TO_EXCLUDE[receiver.class]
      end
    end

    def method_names
      names = receiver.methods + receiver.singleton_methods
      names += receiver.private_methods if @private_call
      names.uniq
    end

    def names_to_exclude = Object === receiver ? [] : [:then]
  end

  # Of errors that suggest what was meant. The engine's own say so by themselves; for others `to_s` does.
  module Correctable
    def original_message = method(:to_s).super_method.call

    def to_s
      message = super.dup
      suggestion = DidYouMean.formatter.message_for(corrections)
      message.include?(suggestion) ? message : message << suggestion
    rescue StandardError
      super
    end

    def corrections = @corrections ||= spell_checker.corrections.to_a
    def spell_checker = DidYouMean.__checker(self).new(self)
  end

  # `corrections` of the engine's own errors.
  module Corrections
    def corrections = @corrections ||= spell_checker.corrections.to_a
    def spell_checker = DidYouMean.__checker(self).new(self)
  end
  private_constant :Corrections

  %i[Levenshtein Jaro JaroWinkler VariableNameChecker ClassNameChecker NameErrorCheckers RequirePathChecker TreeSpellChecker SPELL_CHECKERS PlainFormatter].each do |name|
    autoload(name, "did_you_mean/checkers_core")
  end

  CHECKERS = {}
  CHECKERS.default_proc = ->(found, name) { CORE.key?(name) ? found[name] = const_get(CORE[name]) : NullChecker }
  # The checkers of the engine's own errors, of which some are loaded when they are asked for.
  CORE = {
    "NameError" => :NameErrorCheckers, "NoMethodError" => :MethodNameChecker, "LoadError" => :RequirePathChecker, "KeyError" => :KeyErrorChecker,
    "NoMatchingPatternKeyError" => :PatternKeyNameChecker
  }.freeze
  private_constant :CHECKERS, :CORE
  [NameError, LoadError, KeyError, NoMatchingPatternKeyError].each { |error| error.include(Corrections) }

  class << self
    attr_writer :formatter
    def formatter = @formatter || Formatter
    def spell_checkers
      CORE.each_key { |name| CHECKERS[name] }
      CHECKERS
    end
    def __checker(error) = CHECKERS[error.class.to_s]

    # Lets errors of a class suggest what the checker finds.
    def correct_error(error_class, checker)
      CHECKERS[error_class.to_s] = checker
      return if CORE.key?(error_class.to_s) || !error_class.is_a?(Class)
      error_class.prepend(Correctable) unless error_class < Correctable
    end
  end
end
