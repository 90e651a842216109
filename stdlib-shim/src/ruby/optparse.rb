# OptionParser: command-line options declared with blocks.
class OptionParser
  Version = "0.2.0"
  NoArgument = [NO_ARGUMENT = :NONE, nil].freeze
  RequiredArgument = [REQUIRED_ARGUMENT = :REQUIRED, true].freeze
  OptionalArgument = [OPTIONAL_ARGUMENT = :OPTIONAL, false].freeze

  class ParseError < RuntimeError
    Reason = "parse error"
    attr_reader :args, :additional
    attr_writer :reason
    def initialize(*args, additional: nil)
      @args, @additional = args, additional
      @reason = nil
    end
    def self.filter_backtrace(array) = array
    def recover(argv)
      argv[0, 0] = @args
      argv
    end
    def set_option(option, equal)
      equal ? @args[0] = option : @args.unshift(option)
      self
    end
    def set_backtrace(array) = super(self.class.filter_backtrace(array))
    def reason = @reason || self.class::Reason
    def inspect = "#<#{self.class}: #{args.join(" ")}>"
    def message = "#{reason}: #{args.join(" ")}#{additional}"
    alias to_s message
  end
  class AmbiguousOption < ParseError
    Reason = "ambiguous option"
  end
  class NeedlessArgument < ParseError
    Reason = "needless argument"
  end
  class MissingArgument < ParseError
    Reason = "missing argument"
  end
  class InvalidOption < ParseError
    Reason = "invalid option"
  end
  class InvalidArgument < ParseError
    Reason = "invalid argument"
  end
  class AmbiguousArgument < InvalidArgument
    Reason = "ambiguous argument"
  end

  # One declared option.
  class Switch
    attr_reader :short, :long, :arg, :desc, :style, :block, :negatable, :converter, :pattern
    def initialize(short, long, arg, style, desc, converter, pattern, negatable, block)
      @short, @long, @arg, @style, @desc, @converter, @pattern, @negatable, @block = short, long, arg, style, desc, converter, pattern, negatable, block
    end

    # Options as the summary shows them.
    def heading(width, indent)
      shorts = short.map { |each| "-#{each}" }
      longs = long.map { |each| negatable == each ? "--[no-]#{each}" : "--#{each}" }
      if arg
        if longs.empty?
          shorts = shorts.map { |each| style == :optional ? "#{each} #{arg.sub(/\A\s*\[?=?/) { |open| open.include?("[") ? "[" : "" }}" : "#{each} #{arg.strip}" }
        else
          text = arg.start_with?("[", "=") ? arg : (style == :optional ? arg : "#{arg.start_with?(" ") ? arg : " #{arg}"}")
          longs[-1] += text
        end
      end
      left = shorts.empty? ? "    " + longs.join(", ") : (shorts + longs).join(", ")
      summarize(left, width, indent)
    end

    def summarize(left, width, indent)
      lines = []
      rest = desc.dup
      if left.length > width
        lines << "#{indent}#{left}"
      else
        lines << "#{indent}#{left.ljust(width)} #{rest.shift}".rstrip
      end
      rest.each { |line| lines << "#{indent}#{" " * width} #{line}" }
      lines
    end
  end

  CONVERTERS = {
    String => [/\A.+\z/m, ->(text) { text }],
    Integer => [/\A[-+]?(?:0b[01_]+|0x[\h_]+|0o?[0-7_]+|\d[\d_]*)\z/i, ->(text) { Integer(text) rescue raise(InvalidArgument, text) }],
    Float => [/\A[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\z/i, ->(text) { text.to_f }],
    Numeric => [%r{\A[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?(?:/\d+)?\z}i, ->(text) { text.match?(/[.e]/i) ? Float(text) : (text.include?("/") ? Rational(text) : Integer(text)) }],
    TrueClass => [nil, ->(text) { truth(text, true) }],
    FalseClass => [nil, ->(text) { truth(text, false) }],
    Array => [nil, ->(text) { text.split(",").map { |part| part.empty? ? nil : part } }],
    Object => [nil, ->(text) { text.nil? || text }],
    NilClass => [nil, ->(text) { text }],
    Regexp => [nil, ->(text) { match = %r{\A/(.*)/([imx]*)\z}m.match(text); match ? Regexp.new(match[1], match[2].each_char.sum { |c| { "i" => 1, "x" => 2, "m" => 4 }[c] }) : Regexp.new(text) }]
  }
  module Acceptables
    DecimalInteger = /\A[-+]?\d+(?:_\d+)*\z/
    OctalInteger = /\A[-+]?(?:[0-7]+(?:_[0-7]+)*|0(?:b[01]+|x\h+))\z/i
    DecimalNumeric = /\A[-+]?\d+(?:\.\d+)?\z/
  end
  include Acceptables
  CONVERTERS[DecimalInteger] = [DecimalInteger, ->(text) { Integer(text, 10) }]
  CONVERTERS[OctalInteger] = [OctalInteger, ->(text) { Integer(text, 8) }]
  CONVERTERS[DecimalNumeric] = [DecimalNumeric, ->(text) { text.include?(".") ? Float(text) : Integer(text, 10) }]

  def self.truth(text, default)
    return default if text.nil?
    return true if text.size.positive? && %w(yes true + -).first(3).any? { |word| word.start_with?(text.downcase) }
    return false if text == "-" || %w(no false nil).any? { |word| word.start_with?(text.downcase) }
    raise InvalidArgument, text
  end

  attr_writer :banner, :program_name, :version, :release, :default_argv
  attr_accessor :summary_width, :summary_indent, :require_exact
  attr_reader :set_summary_width

  def self.with(*args, &block)
    made = new(*args)
    made.instance_eval(&block)
    made
  end

  def initialize(banner = nil, width = 32, indent = " " * 4)
    @banner, @summary_width, @summary_indent = banner, width, indent
    @entries = []
    @tail = []
    @accepted = {}
    @default_argv = ARGV
    @require_exact = false
    yield self if block_given?
  end

  def program_name = @program_name || File.basename($0, ".*")
  def banner = @banner ||= "Usage: #{program_name} [options]"
  def version = @version || (defined?(::Version) && ::Version)
  def release = @release
  def ver
    return nil unless version
    "#{program_name} #{[version].flatten.join(".")}#{" (#{release})" if release}"
  end
  def default_argv = @default_argv

  def accept(type, pattern = nil, &block)
    pattern = type if pattern.nil? && type.is_a?(Regexp)
    @accepted[type] = [pattern, block || ->(text, *) { text }]
  end
  def reject(type) = @accepted.delete(type)
  def self.accept(type, pattern = nil, &block) = CONVERTERS[type] = [pattern, block]
  def self.reject(type) = CONVERTERS.delete(type)

  def on(*args, &block)
    @entries << make_switch(args, block)
    self
  end
  alias def_option on
  def define(*args, &block) = make_switch(args, block).tap { |switch| @entries << switch }
  def on_head(*args, &block)
    @entries.unshift(make_switch(args, block))
    self
  end
  def define_head(*args, &block) = make_switch(args, block).tap { |switch| @entries.unshift(switch) }
  def on_tail(*args, &block)
    @tail << make_switch(args, block)
    self
  end
  def define_tail(*args, &block) = make_switch(args, block).tap { |switch| @tail << switch }
  def separator(text = "") = @entries << text.to_s
  def base = self
  def top = self

  def summarize(to = [], width = @summary_width, _max = width - 1, indent = @summary_indent)
    (@entries + @tail).each do |entry|
      lines = entry.is_a?(String) ? [entry] : entry.heading(width, indent)
      lines.each { |line| block_given? ? yield("#{line}\n") : to << "#{line}\n" }
    end
    to
  end

  def help = summarize(+"#{banner.chomp}\n")
  alias to_s help
  def to_a = summarize(banner.split(/^/))

  def parse(*argv, into: nil)
    argv = argv[0].dup if argv.size == 1 && argv[0].is_a?(Array)
    parse!(argv, into: into)
  end

  def parse!(argv = default_argv, into: nil)
    strict_order? ? order!(argv, into: into) : permute!(argv, into: into)
  end
  def strict_order? = !ENV["POSIXLY_CORRECT"].nil?
  private :strict_order?

  def permute(*argv, into: nil)
    argv = argv[0].dup if argv.size == 1 && argv[0].is_a?(Array)
    permute!(argv, into: into)
  end
  def permute!(argv = default_argv, into: nil)
    kept = []
    order!(argv, into: into) { |each| kept << each }
    argv[0, 0] = kept
    argv
  end

  def order(*argv, into: nil, &nonopt)
    argv = argv[0].dup if argv.size == 1 && argv[0].is_a?(Array)
    order!(argv, into: into, &nonopt)
  end

  def order!(argv = default_argv, into: nil, &nonopt)
    catch(:terminate) do
      while (arg = argv.shift)
        case arg
        when "--" then break
        when /\A--([^=]+)(?:=(.*))?\z/m then long_option(arg, $1, $2, argv, into)
        when /\A-(.)((=).*|.+)?\z/m then short_options(arg, argv, into)
        else
          unless nonopt
            argv.unshift(arg)
            break
          end
          nonopt.call(arg)
        end
      end
    end
    argv
  end

  def terminate(arg = nil) = throw(:terminate, arg)

  def getopts(*args)
    argv = args.first.is_a?(Array) ? args.shift : default_argv
    short, *long = args
    result = {}
    short.to_s.scan(/(.)(:)?/) do |name, value|
      result[name] = value ? nil : false
      define("-#{name}#{" VAL" if value}") { |given| result[name] = given }
    end
    long.each do |each|
      name, default = each.split(":", 2)
      result[name] = each.include?(":") ? (default.empty? ? nil : default) : false
      define("--#{name}#{" VAL" if each.include?(":")}") { |given| result[name] = given }
    end
    parse!(argv)
    result
  end

  def environment(name = program_name) = (text = ENV[name] || ENV[name.upcase]) && (require("shellwords"); parse(*Shellwords.shellwords(text)))
  def warn(text = $!) = super("#{program_name}: #{text}")
  def abort(text = $!) = super("#{program_name}: #{text}")
  def inc(arg, default = nil) = arg.is_a?(Integer) && arg.nonzero? ? arg : (default || 0) + 1

  private

  def make_switch(args, block)
    short, long, desc = [], [], []
    arg = style = type = negatable = choices = nil
    args.each do |each|
      case each
      when /\A--\[no-\]([^\[\]=\s]*)(.+)?\z/m
        long << $1
        negatable = $1
        arg = $2 || arg
      when /\A--([^\[\]=\s]+)(.+)?\z/m
        long << $1
        arg = $2 || arg
      when /\A-(.)(.+)?\z/m
        short << $1
        arg ||= $2
      when String then desc << each
      when :NONE, :REQUIRED, :OPTIONAL then style = each.to_s.downcase.to_sym
      when Proc, Method then block ||= each
      when Hash then choices = each
      when Array then choices = each
      when Symbol then style = each
      when nil then nil
      else
        if each.is_a?(Module) || each.is_a?(Regexp) || @accepted.key?(each) then type = each
        else raise ArgumentError, "unsupported argument type: #{each.inspect}"
        end
      end
    end
    style = arg.strip.start_with?("[") || arg.strip.start_with?("=[") ? :optional : :required if arg
    style ||= :none
    if style == :none && type && ![TrueClass, FalseClass].include?(type)
      style = :required
    end
    pattern, converter = converter_for(type, choices)
    Switch.new(short, long, arg, style, desc, converter, pattern, negatable, block)
  end

  def converter_for(type, choices)
    if choices
      names = choices.is_a?(Hash) ? choices : choices.to_h { |each| each.is_a?(Array) ? each : [each.to_s, each] }
      return [nil, ->(text) { choice(names.transform_keys(&:to_s), text) }]
    end
    return [nil, ->(text) { text }] if type.nil?
    return @accepted[type] if @accepted.key?(type)
    return CONVERTERS[type] if CONVERTERS.key?(type)
    return [type, ->(text, *groups) { groups.empty? ? text : [text, *groups] }] if type.is_a?(Regexp)
    raise ArgumentError, "unsupported argument type: #{type}"
  end

  def choice(names, text)
    return nil if text.nil?
    return names[text] if names.key?(text)
    near = names.keys.select { |name| name.start_with?(text) }
    raise InvalidArgument, text if near.empty?
    raise AmbiguousArgument, text if near.size > 1
    names[near[0]]
  end

  def switches = @entries.grep(Switch) + @tail

  def find_long(name, arg)
    candidates = {}
    switches.each do |switch|
      switch.long.each do |long|
        candidates[long] ||= [switch, true]
        candidates["no-#{long}"] ||= [switch, false] if switch.negatable == long
      end
    end
    return [name, *candidates[name]] if candidates.key?(name)
    normal = name.tr("_", "-").downcase
    near = candidates.select { |long, _| long.tr("_", "-").downcase.start_with?(normal) }
    exact = near.select { |long, _| long.tr("_", "-").downcase == normal }
    near = exact unless exact.empty?
    near = {} if require_exact && exact.empty?
    return [name, :help] if near.empty? && !require_exact && "help".start_with?(name)
    return [name, :version] if near.empty? && !require_exact && "version".start_with?(name)
    raise InvalidOption.new(arg, additional: suggestion(name, candidates.keys)) if near.empty?
    raise AmbiguousOption.new(arg, additional: "(#{near.keys.map { |each| "--#{each}" }.join(", ")})") if near.size > 1 && near.values.map(&:first).uniq.size > 1
    [near.keys[0], *near.values[0]]
  end

  def suggestion(name, known)
    return "" unless defined?(DidYouMean::SpellChecker)
    found = DidYouMean::SpellChecker.new(dictionary: known).correct(name)
    found.empty? ? "" : "\nDid you mean?  #{found.join("\n               ")}"
  end

  def long_option(arg, name, value, argv, into)
    full, switch, positive = find_long(name, arg)
    return show_help if switch == :help
    return show_version if switch == :version
    case switch.style
    when :none
      raise NeedlessArgument, arg if value
      finish(switch, positive, arg, full, into)
    when :required
      unless positive
        return finish(switch, false, arg, full, into)
      end
      if value.nil?
        raise MissingArgument, arg if argv.empty?
        value = argv.shift
      end
      finish(switch, convert(switch, value, ["--#{name}", value], arg.include?("=")), arg, full, into)
    else
      return finish(switch, false, arg, full, into) unless positive
      value = argv.shift if value.nil? && takes_next?(switch, argv)
      finish(switch, value.nil? ? convert_nil(switch) : convert(switch, value, ["--#{name}", value], arg.include?("=")), arg, full, into)
    end
  end

  def takes_next?(switch, argv)
    return false if argv.empty? || argv.first.start_with?("-")
    !switch.arg.to_s.start_with?("[=") || switch.arg.to_s.strip.start_with?("[") && !switch.arg.to_s.start_with?("[=")
  end

  def short_options(arg, argv, into)
    rest = arg[1..]
    until rest.empty?
      name = rest[0]
      rest = rest[1..]
      switch = switches.find { |each| each.short.include?(name) }
      positive = true
      switch, positive = short_for_long(name, "-#{name}#{rest}") unless switch
      return show_help if switch == :help
      return show_version if switch == :version
      raise NeedlessArgument, "-#{name}#{rest}" if switch.style == :none && rest.start_with?("=")
      if switch.style == :none || !positive
        finish(switch, positive, "-#{name}", nil, into, name)
        rest = rest.delete_prefix("-")
        next
      end
      value = rest.empty? ? nil : rest
      joined = "-#{name}#{rest}" if value
      if value.nil? && switch.style == :required
        raise MissingArgument, "-#{name}" if argv.empty?
        value = argv.shift
      elsif value.nil? && takes_next?(switch, argv)
        value = argv.shift
      end
      finish(switch, value.nil? ? convert_nil(switch) : convert(switch, value, joined ? [joined] : ["-#{name}", value], false), "-#{name}", nil, into, name)
      return
    end
  end

  # The switch, and whether it is set, of the only long name that begins with a letter.
  def short_for_long(name, arg)
    raise InvalidOption, arg if require_exact
    near = switches.flat_map do |switch|
      switch.long.flat_map do |long|
        names = [[long, switch, true]]
        names << ["no-#{long}", switch, false] if switch.negatable == long
        names
      end
    end
    near = near.select { |long, _, _| long.start_with?(name) }
    raise AmbiguousOption, arg if near.map { |_, switch, _| switch }.uniq.size > 1
    return near[0].drop(1) unless near.empty?
    return :help if name == "h"
    return :version if name == "v"
    raise InvalidOption, arg
  end

  def convert_nil(switch) = [TrueClass, FalseClass].any? { |type| switch.converter.equal?(CONVERTERS[type][1]) } ? switch.converter.call(nil) : nil

  def convert(switch, value, shown, joined)
    shown = joined ? ["#{shown[0]}=#{value}"] : shown
    if switch.pattern.is_a?(Regexp)
      match = switch.pattern.match(value) or raise InvalidArgument.new(*shown)
      raise InvalidArgument.new(*shown) unless match.pre_match.empty? && match.post_match.empty?
      groups = match.captures.empty? || CONVERTERS.value?([switch.pattern, switch.converter]) ? [value] : match.to_a
      return switch.converter.arity.abs == 1 ? switch.converter.call(groups[0]) : switch.converter.call(*groups)
    end
    switch.converter.call(value)
  rescue InvalidArgument, AmbiguousArgument => error
    raise error.class.new(*shown)
  end

  def finish(switch, value, shown, _full, into, short = nil)
    begin
      result = switch.block ? switch.block.call(value) : value
    rescue ParseError => error
      raise error.args.include?(shown) ? error : error.set_option(shown, error.args.size > 1)
    end
    into[(switch.long.first || short || switch.short.first).to_sym] = switch.block ? result : value if into
    result
  end

  def show_help
    puts help
    exit
  end

  def show_version
    abort("version unknown") unless ver
    puts ver
    exit
  end
end
OptParse = OptionParser
