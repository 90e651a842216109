# Options of a command line, long and short, as GNU's getopt_long() reads them.
class GetoptLong
  VERSION = "0.1.1"
  STATUS_YET, STATUS_STARTED, STATUS_TERMINATED = 0, 1, 2
  class Error < StandardError; end
  class AmbiguousOption < Error; end
  class NeedlessArgument < Error; end
  class MissingArgument < Error; end
  class InvalidOption < Error; end

  ORDERINGS = [REQUIRE_ORDER = 0, PERMUTE = 1, RETURN_IN_ORDER = 2].freeze
  ARGUMENT_FLAGS = [NO_ARGUMENT = 0, REQUIRED_ARGUMENT = 1, OPTIONAL_ARGUMENT = 2].freeze

  attr_reader :ordering, :error
  attr_writer :quiet
  alias error? error

  def initialize(*options)
    @ordering = ENV.include?("POSIXLY_CORRECT") ? REQUIRE_ORDER : PERMUTE
    @names = {}
    @flags = {}
    @quiet = false
    @error = nil
    @rest_of_short = ""
    @others = []
    @started = @done = false
    set_options(*options) unless options.empty?
  end

  def quiet = @quiet
  alias quiet? quiet

  def ordering=(ordering)
    raise ArgumentError, "invalid ordering" unless ORDERINGS.include?(ordering)
    raise_started if @started
    @ordering = ordering == PERMUTE && ENV.include?("POSIXLY_CORRECT") ? REQUIRE_ORDER : ordering
  end

  def set_options(*options)
    raise_started if @started
    @names.clear
    @flags.clear
    options.each do |option|
      raise ArgumentError, "the option list contains non-Array argument" unless option.is_a?(Array)
      flags, names = option.partition { |part| ARGUMENT_FLAGS.include?(part) }
      raise ArgumentError, "too many argument-flags" if flags.size > 1
      raise ArgumentError, "no argument-flag" if flags.empty?
      raise ArgumentError, "the option name is missing" if names.empty?
      names.each do |name|
        raise ArgumentError, "an invalid option `#{name}'" unless name.match?(/\A-[^-]\z/) || name.match?(/\A--[^-]/)
        raise ArgumentError, "option redefined `#{name}'" if @names.include?(name)
        @names[name] = names.first
        @flags[name] = flags.first
      end
    end
    self
  end

  def terminate
    return nil if @error
    raise RuntimeError, "an error has occurred" if @error
    @done = true
    @names.clear
    @flags.clear
    ARGV.unshift(*@others)
    @others.clear
    self
  end

  def terminated? = @done
  def error_message = @error&.message

  def get
    return nil if @done
    @started = true
    option = @rest_of_short.empty? ? next_word : "-"
    return nil unless option
    return ["", option] if option.is_a?(String) && !option.start_with?("-") && @ordering == RETURN_IN_ORDER
    option.start_with?("--") ? long(option) : short(@rest_of_short.empty? ? option[1..] : @rest_of_short)
  end
  alias get_option get

  def each
    loop do
      name, argument = get_option
      break unless name
      yield name, argument
    end
  end
  alias each_option each

  protected

  def set_error(type, message)
    @error = type.new(message)
    $stderr.print("#{$0}: #{message}\n") unless @quiet
    @rest_of_short = ""
    raise @error
  end

  private

  def raise_started = raise(RuntimeError, "invoke #{caller_locations(1, 1).first.label}, but option processing has already started")

  # The next word that is an option; nil at the end.
  def next_word
    until ARGV.empty?
      word = ARGV.shift
      if word == "--"
        terminate
        return nil
      end
      return word if word.match?(/\A-./)
      case @ordering
      when PERMUTE then @others << word
      when RETURN_IN_ORDER then return word
      else
        ARGV.unshift(word)
        terminate
        return nil
      end
    end
    terminate
    nil
  end

  def long(word)
    given, argument = word.split("=", 2)
    name = full_name(given)
    case @flags[name]
    when REQUIRED_ARGUMENT
      argument ||= ARGV.shift
      set_error(MissingArgument, "option `#{word}' requires an argument") unless argument
    when OPTIONAL_ARGUMENT
      argument ||= ARGV.first && !ARGV.first.match?(/\A-./) ? ARGV.shift : ""
    else
      set_error(NeedlessArgument, "option `#{name}' doesn't allow an argument") if argument
    end
    [@names[name], argument || ""]
  end

  def full_name(given)
    return given if @names.include?(given)
    found = @names.keys.select { |name| name.start_with?(given) }
    set_error(InvalidOption, "unrecognized option `#{given}'") if found.empty?
    set_error(AmbiguousOption, "option `#{given}' is ambiguous between #{found.join(", ")}") if found.map { |name| @names[name] }.uniq.size > 1
    found.first
  end

  def short(letters)
    name = "-#{letters[0]}"
    rest = letters[1..]
    set_error(InvalidOption, "invalid option -- #{letters[0]}") unless @names.include?(name)
    @rest_of_short = ""
    argument = ""
    case @flags[name]
    when REQUIRED_ARGUMENT
      argument = rest.empty? ? ARGV.shift : rest
      set_error(MissingArgument, "option requires an argument -- #{letters[0]}") unless argument
    when OPTIONAL_ARGUMENT
      argument = if !rest.empty? then rest
      elsif ARGV.first && !ARGV.first.match?(/\A-./) then ARGV.shift
      else ""
      end
    else
      @rest_of_short = rest
    end
    [@names[name], argument]
  end
end
