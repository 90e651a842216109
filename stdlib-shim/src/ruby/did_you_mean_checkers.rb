# DidYouMean's checkers and distances, which programs name seldom: the engine's own errors suggest natively.
require "did_you_mean"
require "delegate"

module DidYouMean
  module Levenshtein
    def distance(first, second) = DidYouMean.__distance("levenshtein", first, second)
    def min3(first, second, third) = [first, second, third].min
    module_function :distance, :min3
  end

  module Jaro
    def distance(first, second) = DidYouMean.__distance("jaro", first, second)
    module_function :distance
  end

  module JaroWinkler
    WEIGHT = 0.1
    THRESHOLD = 0.7
    def distance(first, second) = DidYouMean.__distance("jaro_winkler", first, second)
    module_function :distance
  end

  class VariableNameChecker
    # Words that are like a name by chance.
    NAMES_TO_EXCLUDE = { "foo" => [:fork, :for] }
    NAMES_TO_EXCLUDE.default = []
    RB_RESERVED_WORDS = %i[
      BEGIN END alias and begin break case class def defined? do else elsif end ensure false for module next nil not redo rescue retry return self super
      then true undef unless until when while yield __LINE__ __FILE__ __ENCODING__
    ]

    attr_reader :name, :method_names, :lvar_names, :ivar_names, :cvar_names

    def initialize(exception)
      @name = exception.name.to_s.tr("@", "")
      @lvar_names = exception.respond_to?(:local_variables) ? exception.local_variables : []
      receiver = exception.receiver
      @method_names = receiver.methods + receiver.private_methods
      @ivar_names = receiver.instance_variables
      @cvar_names = receiver.class.class_variables
      @cvar_names += receiver.class_variables if receiver.is_a?(Module)
    end

    def corrections
      @corrections ||= SpellChecker.new(dictionary: RB_RESERVED_WORDS + lvar_names + method_names + ivar_names + cvar_names).correct(name).uniq - NAMES_TO_EXCLUDE[name]
    end
  end

  class ClassNameChecker
    attr_reader :class_name

    # A constant where it is: shown with what it lies in.
    class ClassName < String
      attr :namespace

      def initialize(name, namespace = "")
        super(name.to_s)
        @namespace = namespace
      end
      def full_name = self.class.new("#{namespace}#{self}")
    end

    def initialize(exception)
      @class_name = exception.name
      @receiver = exception.receiver
      @original_message = exception.respond_to?(:original_message) ? exception.original_message : exception.message
    end

    def class_names
      scopes.flat_map do |scope|
        prefix = scope == Object ? "" : "#{scope}::"
        scope.constants.map { |name| ClassName.new(name.to_s, prefix) }
      end
    end

    def corrections
      @corrections ||= SpellChecker.new(dictionary: class_names).correct(class_name).map(&:full_name).reject { |name| @original_message.include?(name) }
    end

    # What the name was looked for in.
    def scopes
      @scopes ||= @receiver.to_s.split("::").inject([Object]) do |found, name|
        found << found.last.const_get(name)
      end.uniq
    end
  end

  # Chooses the checker of a NameError by what it says.
  NameErrorCheckers = Object.new
  def NameErrorCheckers.new(exception)
    checker =
      case exception.original_message
      when /^uninitialized constant/ then ClassNameChecker
      when /^undefined local variable or method/, /^(?:undefined )?(?:instance|class) variable/, /^uninitialized class variable/ then VariableNameChecker
      else NullChecker
      end
    checker.new(exception)
  end

  # Files that can be required and are like the one that is not there.
  class RequirePathChecker
    attr_reader :path

    def self.requireables
      @requireables ||= ($LOAD_PATH.flat_map { |folder| Dir.glob("**/*.{rb,so,o,dll,obj}", base: folder) }.map { |name| name.sub(/\.[a-z]+\z/, "") } + DidYouMean.__features).uniq
    end

    def initialize(exception)
      @path = exception.path
    end

    def corrections
      @corrections ||= begin
        limit = path.size * 2
        dictionary = self.class.requireables.reject { |name| name.size >= limit }
        (path.include?("/") ? TreeSpellChecker : SpellChecker).new(dictionary: dictionary).correct(path).uniq
      end
    end
  end

  # A spell checker of paths: each part by itself.
  class TreeSpellChecker
    attr_reader :dictionary, :separator, :augment

    def initialize(dictionary:, separator: "/", augment: nil)
      @dictionary = dictionary
      @separator = separator
      @augment = augment
    end

    def correct(input)
      states = plausible_dimensions(input)
      found = states.empty? ? [] : suggestions(input, states)
      return found unless found.empty?
      augment ? SpellChecker.new(dictionary: dictionary).correct(input) : []
    end

    def dictionary_without_leaves = @dictionary_without_leaves ||= dictionary.map { |word| word.split(separator)[0..-2] }.uniq
    def tree_depth = @tree_depth ||= dictionary_without_leaves.map(&:size).max
    def dimensions
      @dimensions ||= Array.new(tree_depth.to_i) { |at| dictionary_without_leaves.filter_map { |parts| parts[at] }.uniq }
    end

    # The last parts of what lies below a path.
    def find_leaves(path)
      path += separator
      dictionary.filter_map { |word| word.delete_prefix(path) if word.start_with?(path) }
    end

    def plausible_dimensions(input)
      input.split(separator)[0..-2].each_with_index.map { |part, at| like(dimensions[at], part) if dimensions[at] }.compact
    end

    def possible_paths(states) = states.map { |state| state.join(separator) }

    private

    def suggestions(input, states)
      first, *others = states
      possible_paths(first.product(*others)).flat_map do |path|
        leaf = input.split(separator).last
        like(find_leaves(path), leaf).map { |name| "#{path}#{separator}#{name}" }
      end
    end

    def like(words, part)
      return [part] if words.include?(part)
      return words if words.size == 1
      SpellChecker.new(dictionary: words).correct(part)
    end
  end

  # The old way to name checkers.
  class DeprecatedMapping
    def []=(error_name, checker)
      warn("Calling `DidYouMean::SPELL_CHECKERS[#{error_name}] = #{checker}' has been deprecated. Please call `DidYouMean.correct_error(#{error_name}, #{checker})' instead.")
      DidYouMean.correct_error(error_name, checker)
    end

    def merge!(checkers)
      warn("Calling `DidYouMean::SPELL_CHECKERS.merge!(error_name => spell_checker)' has been deprecated. Please call `DidYouMean.correct_error(error_name, spell_checker)' instead.")
      checkers.each { |error_name, checker| DidYouMean.correct_error(error_name, checker) }
    end
  end
  private_constant :DeprecatedMapping
  SPELL_CHECKERS = DeprecatedMapping.new

  # Formats suggestions without colours; what there was before Formatter.
  PlainFormatter = Formatter
end
