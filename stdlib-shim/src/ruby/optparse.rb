# OptionParser: command-line options declared with blocks.
class OptionParser
  Version = "0.2.0"
  NoArgument = [NO_ARGUMENT = :NONE, nil].freeze
  RequiredArgument = [REQUIRED_ARGUMENT = :REQUIRED, true].freeze
  OptionalArgument = [OPTIONAL_ARGUMENT = :OPTIONAL, false].freeze

  class ParseError < RuntimeError
    Reason = "parse error"
    attr_reader :args
    attr_writer :reason
    attr_accessor :additional
    def initialize(*args, additional: nil)
      @additional = additional
      @arg0, = args
      @args = args
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
    def message = "#{reason}: #{args.join(" ")}#{additional[@arg0] if additional}"
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
end

require "optparse/switch_core"

class OptionParser
  ArgumentStyle = { Switch::NoArgument => NoArgument, Switch::RequiredArgument => RequiredArgument, Switch::OptionalArgument => OptionalArgument }.flat_map { |style, names| names.map { |name| [name, style] } }.to_h.freeze
  SPLAT_PROC = proc { |*all| all.length <= 1 ? all.first : all }

  DefaultList = List.new
  DefaultList.short["-"] = Switch::NoArgument.new {}
  DefaultList.long[""] = Switch::NoArgument.new { throw :terminate }

  # Options that every parser has.
  Officious = {
    "help" => ->(parser) { Switch::NoArgument.new { puts(parser.help).then { exit } } },
    "*-completion-bash" => ->(parser) { Switch::RequiredArgument.new { |arg| puts(parser.candidate(arg)).then { exit } } },
    "*-completion-zsh" => ->(parser) { Switch::OptionalArgument.new { |arg| parser.compsys($stdout, *arg).then { exit } } },
    "version" => lambda do |parser|
      Switch::OptionalArgument.new do |package|
        abort("#{parser.program_name}: no version found in package #{package}") if package
        puts(parser.ver || abort("#{parser.program_name}: version unknown"))
        exit
      end
    end
  }

  class << self
    def with(*args, &block) = new(*args).tap { |made| made.instance_eval(&block) }
    def inc(arg, default = nil)
      case arg
      when Integer then arg.nonzero?
      when nil then default.to_i + 1
      end
    end
    def terminate(arg = nil) = throw(:terminate, arg)
    def top = DefaultList
    def accept(*args, &block) = top.accept(*args, &block)
    def reject(*args, &block) = top.reject(*args, &block)
    def getopts(*args) = new.getopts(*args)
  end

  attr_writer :banner, :program_name, :version, :release
  attr_accessor :summary_width, :summary_indent, :default_argv, :require_exact
  alias set_banner banner=
  alias set_program_name program_name=
  alias set_summary_width summary_width=
  alias set_summary_indent summary_indent=

  def initialize(banner = nil, width = 32, indent = " " * 4)
    @stack = [DefaultList, List.new, List.new]
    @program_name = nil
    @banner = banner
    @summary_width = width
    @summary_indent = indent
    @default_argv = ARGV
    @require_exact = false
    add_officious
    yield self if block_given?
  end
  def add_officious = Officious.each { |name, make| base.long[name] ||= make.call(self) }

  def inc(*args) = self.class.inc(*args)
  def terminate(arg = nil) = self.class.terminate(arg)
  def accept(*args, &block) = top.accept(*args, &block)
  def reject(*args, &block) = top.reject(*args, &block)
  def top = @stack[-1]
  def base = @stack[1]
  def new
    @stack.push(List.new)
    block_given? ? yield(self) : self
  end
  def remove = @stack.pop

  def program_name = @program_name || File.basename($0, ".*")
  def banner
    return @banner if @banner
    @banner = +"Usage: #{program_name} [options]"
    visit(:add_banner, @banner)
    @banner
  end
  def version = @version || (defined?(::Version) && ::Version)
  def release = @release || (defined?(::Release) && ::Release) || (defined?(::RELEASE) && ::RELEASE)
  def ver = version ? "#{program_name} #{[version].join(".")}#{" (#{release})" if release}" : nil
  def warn(text = $!) = super("#{program_name}: #{text}")
  def abort(text = $!) = super("#{program_name}: #{text}")

  def summarize(to = [], width = @summary_width, max = width - 1, indent = @summary_indent, &block)
    block ||= proc { |line| to << (line.end_with?("\n") ? line : "#{line}\n") }
    visit(:summarize, {}, {}, width, max, indent, &block)
    to
  end
  def help = summarize(banner.to_s.sub(/\n?\z/, "\n"))
  alias to_s help
  def to_a = summarize(banner.to_s.split(/^/))
  COMPSYS_HEADER = "\ntypeset -A opt_args\nlocal context state line\n\n_arguments -s -S \\\n"
  def compsys(to, name = File.basename($0))
    to << "#compdef #{name}\n" << COMPSYS_HEADER
    visit(:compsys, {}, {}) { |option, words| to << %(  "#{option}[#{words.gsub(/["\[\]]/) { |char| "\\#{char}" }}]" \\\n) }
    to << "  '*:file:_files' && return 0\n"
  end

  def define(*args, &block) = top.append(*(made = make_switch(args, block))).then { made[0] }
  alias def_option define
  def on(*args, &block)
    define(*args, &block)
    self
  end
  def define_head(*args, &block) = top.prepend(*(made = make_switch(args, block))).then { made[0] }
  alias def_head_option define_head
  def on_head(*args, &block)
    define_head(*args, &block)
    self
  end
  def define_tail(*args, &block) = base.append(*(made = make_switch(args, block))).then { made[0] }
  alias def_tail_option define_tail
  def on_tail(*args, &block)
    define_tail(*args, &block)
    self
  end
  def separator(text) = top.append(text, nil, nil)

  def order(*argv, into: nil, &block) = order!(listed(argv), into: into, &block)
  def order!(argv = default_argv, into: nil, &block) = parse_in_order(argv, into && ->(name, value) { into[name.to_sym] = value }, &block)
  def permute(*argv, into: nil) = permute!(listed(argv), into: into)
  def permute!(argv = default_argv, into: nil)
    kept = []
    order!(argv, into: into) { |each| kept << each }
    argv[0, 0] = kept
    argv
  end
  def parse(*argv, into: nil) = parse!(listed(argv), into: into)
  def parse!(argv = default_argv, into: nil) = ENV.include?("POSIXLY_CORRECT") ? order!(argv, into: into) : permute!(argv, into: into)

  def getopts(*args)
    argv = args.first.is_a?(Array) ? args.shift : default_argv
    singles, *longs = args
    result = {}
    singles&.scan(/(.)(:)?/) do |name, value|
      result[name] = value ? nil : false
      define("-#{name}#{" VAL" if value}")
    end
    longs.each do |each|
      each, words = each.split(";", 2)
      name, value = each.split(":", 2)
      result[name] = value ? (value.empty? ? nil : value) : false
      define("--#{name}#{"=#{result[name] || "VAL"}" if value}", *words)
    end
    parse_in_order(argv, result.method(:[]=))
    result
  end

  # What a word that is being typed can become.
  def candidate(word)
    case word
    when "-" then long = short = true
    when /\A--/
      word, arg = word.split("=", 2)
      values = Completion.regexp(arg, false) if arg && !arg.empty?
      long = true
    when /\A-/ then short = true
    end
    pattern = Completion.regexp(word, long)
    found = []
    visit(:each_option) do |switch|
      next unless switch.is_a?(Switch)
      names = (long ? switch.long : []) + (short ? switch.short : [])
      names = Completion.candidate(word, true, pattern) { |check| names.each { |name| check.call(name) } }.map(&:first)
      if switch.arg&.start_with?("=")
        names = names.map { |name| "#{name}=" }
        names = switch.pattern.candidate(arg, false, values).map(&:last) if arg && switch.pattern.is_a?(CompletingHash)
      end
      found.concat(names)
    end
    found
  end

  def load(file = nil)
    unless file
      name = File.basename($0, ".*")
      return true if (load(File.expand_path(name, "~/.options")) rescue nil)
      folders = [ENV["XDG_CONFIG_HOME"], "~/.config", *ENV["XDG_CONFIG_DIRS"]&.split(File::PATH_SEPARATOR), "~/config/settings"]
      return folders.any? { |folder| folder && !folder.empty? && (load(File.expand_path("#{name}.options", folder)) rescue nil) }
    end
    parse(*IO.readlines(file, chomp: true))
    true
  rescue Errno::ENOENT, Errno::ENOTDIR
    false
  end

  def environment(name = File.basename($0, ".*"))
    text = ENV[name] || ENV[name.upcase] or return
    require "shellwords"
    parse(*Shellwords.shellwords(text))
  end

  private

  def listed(argv) = argv.size == 1 && argv[0].is_a?(Array) ? argv[0].dup : argv

  # The lists from the newest to that of all parsers.
  def visit(name, *args, &block)
    @stack.reverse_each { |list| list.__send__(name, *args, &block) }
    nil
  end

  def search(kind, key)
    visit(:search, kind, key) { |found| return block_given? ? yield(found) : found }
  end

  def complete(kind, name, icase = false, *pattern)
    search(kind, name) { |switch| return [switch, name] } if pattern.empty?
    ambiguous = catch(:ambiguous) do
      visit(:complete, kind, name, icase, *pattern) { |_, *found| return found }
    end
    raise (ambiguous ? AmbiguousOption : InvalidOption).new(name, additional: ->(given) { additional_message(kind, given) })
  end

  def additional_message(kind, name)
    return unless name
    names = []
    visit(:get_candidates, kind) { |all| names.concat(all) }
    names.select! { |each| each.is_a?(String) }
    DidYouMean.formatter.message_for(names & DidYouMean::SpellChecker.new(dictionary: names).correct(name))
  end

  def parse_in_order(argv = default_argv, setter = nil, &block)
    block ||= proc { |arg| throw(:terminate, arg) }
    stopped = catch(:terminate) do
      while (arg = argv.shift)
        case arg
        when /\A--([^=]*)(?:=(.*))?/m then long_option(arg, $1.tr("_", "-"), $2, argv, setter)
        when /\A-(.)((=).*|.+)?/m then short_option(arg, $1, $2, $3, argv, setter)
        else other_argument(arg, block)
        end
      end
      nil
    end
    argv.unshift(stopped) if stopped
    visit(:search, :short, nil) { |switch| switch.block.call(*argv) unless switch.pattern }
    argv
  end

  def other_argument(arg, block)
    catch(:prune) do
      visit(:each_option) { |switch| switch.block.call(arg) if switch.is_a?(Switch) && switch.match_nonswitch?(arg) }
      block.call(arg)
    end
  end

  def long_option(arg, name, rest, argv, setter)
    begin
      switch, = complete(:long, name, true)
      raise InvalidOption, arg if require_exact && !switch.long.include?(arg)
    rescue ParseError => error
      raise error.set_option(arg, true)
    end
    begin
      _, block, value = switch.parse(rest, argv) { |*error| raise(*error) }
      take(switch, block, value, setter)
    rescue ParseError => error
      raise error.set_option(arg, rest)
    end
  end

  # A letter with what follows it: an argument, or more letters.
  def short_option(arg, name, rest, equal, argv, setter)
    switch, value, has_arg, equal = short_switch(arg, name, rest, equal)
    begin
      left, block, value = switch.parse(value, argv) { |*error| raise(*error) if equal }
    rescue ParseError => error
      raise error.set_option(arg, arg.length > 2)
    end
    raise InvalidOption, arg if has_arg && !equal && arg == "-#{left}"
    begin
      argv.unshift(left) if left && (!rest || (left = left.sub(/\A-*/, "-")) != "-")
      take(switch, block, value, setter)
    rescue ParseError => error
      raise error.set_option(arg, arg.length > 2)
    end
  end

  # A letter that is none may be a pattern's, or begin a long name.
  def short_switch(arg, name, rest, equal)
    switch = search(:short, name)
    return [switch, rest, equal, equal] if switch
    begin
      switch, = complete(:short, name)
      [switch, arg.delete_prefix("-"), true, equal]
    rescue InvalidOption
      raise if require_exact
      switch, = complete(:long, name)
      [switch, rest, equal, equal || !rest]
    end
  rescue ParseError => error
    raise error.set_option(arg, true)
  end

  def take(switch, block, value, setter)
    value = block.call(value) if block
    setter&.call(switch.switch_name, value)
  end

  public

  def make_switch(args, block = nil) = Declaration.new(args, block, method(:search)).made

  public :additional_message

  private

  # What the arguments of `on` declare.
  class Declaration
    def initialize(args, block, search)
      @search, @block = search, block
      @short, @long, @negated = [], [], []
      @short_names, @long_names, @words = [], [], []
      @default_style = Switch::NoArgument
      args.each { |arg| declare(arg) }
    end

    # The switch, its names, and the switch that its negative names have.
    def made
      @default_pattern, @conv = find(@default_style.pattern) unless @default_pattern
      if !@short.empty? || !@long.empty?
        @default_style = Switch::RequiredArgument if @has_arg && @default_style == Switch::NoArgument
        switch = (@style || @default_style).new(@pattern || @default_pattern, @conv, @short_names, @long_names, @arg, @words, @block)
      elsif @block
        @short << @pattern
        switch = (@style || @default_style).new(@pattern, @conv, nil, nil, @arg, @words, @block)
      else
        raise ArgumentError, "no switch given" if @style || @pattern
        switch = @words
      end
      negative = @not_style.new(@not_pattern, @not_conv, @short_names, @long_names, nil, @words, @block) if @not_style
      [switch, @short, @long, negative, @negated]
    end

    private

    def find(type) = @search.call(:atype, type)

    def once(value, previous, what)
      raise ArgumentError, "argument #{what} given twice: #{value}" if previous && previous != value
      value
    end

    def declare(arg)
      if (found = find(arg))
        @type = once(arg, @type, "type")
        if @not_style && @not_style != Switch::NoArgument
          @not_pattern, @not_conv = found
        else
          @default_pattern, @conv = found
        end
        return
      end
      if !arg.is_a?(String) && !arg.is_a?(Symbol) && arg.respond_to?(:match)
        @pattern = once(arg, @pattern, "pattern")
        return @conv = arg.respond_to?(:convert) ? arg.method(:convert).to_proc : SPLAT_PROC
      end
      case arg
      when Proc, Method then @block = once(arg, @block, "block")
      when Array, Hash then choices(arg)
      when Module then raise ArgumentError, "unsupported argument type: #{arg}"
      when *ArgumentStyle.keys then @style = once(ArgumentStyle[arg], @style, "style")
      when /^--no-([^\[\]=\s]*)(.+)?/ then negative_name($1, $2)
      when /^--\[no-\]([^\[\]=\s]*)(.+)?/ then either_name($1, $2)
      when /^--([^\[\]=\s]*)(.+)?/
        @long << name_of($1)
        @long_names << "--#{$1}"
        argument($2, NilClass)
      when /^-(\[\^?\]?(?:[^\\\]]|\\.)*\])(.+)?/
        @short << Regexp.new($1)
        @short_names << "-#{$1}"
        once(Object, @type, "type")
        $2 ? argument($2, Object) : @has_arg = true
      when /^-(.)(.+)?/
        @short << $1
        @short_names << "-#{$1}"
        argument($2, NilClass)
      when /^=/
        @style = once(@default_style.guess(@arg = arg), @style, "style")
        @default_pattern, @conv = find(Object) unless @default_pattern
      else @words.push(arg)
      end
    end

    def name_of(text) = text.downcase.tr("_", "-")

    def choices(words)
      raise ArgumentError, "argument pattern given twice" unless @pattern.nil? || @pattern.is_a?(CompletingHash)
      @pattern ||= CompletingHash.new
      @conv = @pattern.method(:convert).to_proc
      words.each { |word, *values| @pattern[word] = values.fetch(0) { word } }
    end

    def argument(text, type)
      return unless text
      once(type, @type, "type")
      @default_style = @default_style.guess(@arg = text)
      @default_pattern, @conv = find(type) unless @default_pattern
    end

    def negative_name(text, arg)
      type = once(arg ? Object : TrueClass, @type, "type")
      @not_pattern, @not_conv = find(type) unless @not_style
      @not_style = (@not_style || @default_style).guess(@arg = arg) if arg
      @default_style = Switch::NoArgument
      @default_pattern, @conv = find(FalseClass) unless @default_pattern
      @long_names << "--no-#{text}"
      @long << "no-#{name_of(text)}"
      @negated << name_of(text)
    end

    def either_name(text, arg)
      type = once(arg ? Object : TrueClass, @type, "type")
      if arg
        @default_style = @default_style.guess(@arg = arg)
        @default_pattern, @conv = find(type) unless @default_pattern
      end
      @long_names << "--[no-]#{text}"
      @long << name_of(text)
      @not_pattern, @not_conv = find(FalseClass) unless @not_style
      @not_style = Switch::NoArgument
      @negated << "no-#{name_of(text)}"
    end
  end
  private_constant :Declaration

  accept(Object) { |text,| text || text.nil? }
  accept(NilClass) { |text,| text }
  accept(String, /.+/m) { |text, *| text }

  # A number that a pattern let through and Ruby does not.
  number = lambda do |text, &read|
    read.call if text
  rescue ArgumentError
    raise InvalidArgument, text
  end
  decimal = '\d+(?:_\d+)*'
  binary = 'b[01]+(?:_[01]+)*'
  hex = 'x[\da-f]+(?:_[\da-f]+)*'
  octal = "0(?:[0-7]+(?:_[0-7]+)*|#{binary}|#{hex})?"
  float = "(?:#{decimal}(?=(.)?)(?:\\.(?:#{decimal})?)?|\\.#{decimal})(?:E[-+]?#{decimal})?"
  real = "[-+]?(?:#{octal}|#{float})"
  accept(Integer, /\A[-+]?(?:#{octal}|#{decimal})\z/i) { |text,| number.call(text) { Integer(text) } }
  accept(Float, /\A[-+]?#{float}\z/i) { |text,| text&.to_f }
  accept(Numeric, %r{\A(#{real})(?:/(#{real}))?\z}i) do |text, over, fraction, under,|
    if under then Rational(over, under)
    elsif fraction then Float(text)
    else Integer(text)
    end
  end
  DecimalInteger = /\A[-+]?#{decimal}\z/i
  accept(DecimalInteger, DecimalInteger) { |text,| number.call(text) { Integer(text, 10) } }
  OctalInteger = /\A[-+]?(?:[0-7]+(?:_[0-7]+)*|0(?:#{binary}|#{hex}))\z/i
  accept(OctalInteger, OctalInteger) { |text,| number.call(text) { Integer(text, 8) } }
  DecimalNumeric = /\A[-+]?#{float}\z/i
  accept(DecimalNumeric, DecimalNumeric) { |text, fraction| number.call(text) { fraction ? Float(text) : Integer(text) } }

  yes_no = CompletingHash.new
  %w(- no false).each { |word| yes_no[word] = false }
  %w(+ yes true).each { |word| yes_no[word] = true }
  yes_no["nil"] = false
  accept(TrueClass, yes_no) { |_, value| value.nil? || value }
  accept(FalseClass, yes_no) { |_, value| !value.nil? && value }
  accept(Array) { |text,| text&.split(",")&.map { |part| part.empty? ? nil : part } }
  accept(Regexp, %r{\A/((?:\\.|[^\\])*)/([[:alpha:]]+)?\z|.*}) do |all, source, letters|
    options = { "i" => Regexp::IGNORECASE, "m" => Regexp::MULTILINE, "x" => Regexp::EXTENDED }.sum { |letter, option| letters&.include?(letter) ? option : 0 }
    code = letters&.delete("imx")
    Regexp.new(source || all, options, *(code unless code.nil? || code.empty?))
  end

  # What a list of arguments can do by itself.
  module Arguable
    def options=(parser)
      @optparse = parser
      singleton_class.class_eval { undef_method(:options, :options=) } unless parser
    end
    def options
      @optparse ||= OptionParser.new
      @optparse.default_argv = self
      return @optparse unless block_given?
      begin
        yield @optparse
      rescue ParseError
        @optparse.warn($!)
        nil
      end
    end
    def order!(&block) = options.order!(self, &block)
    def permute! = options.permute!(self)
    def parse! = options.parse!(self)
    def getopts(*args) = options.getopts(self, *args)

    def self.extend_object(object)
      super
      object.instance_eval { @optparse = nil }
    end
    def initialize(*)
      super
      @optparse = nil
    end
  end

  module Acceptables
    DecimalInteger = OptionParser::DecimalInteger
    OctalInteger = OptionParser::OctalInteger
    DecimalNumeric = OptionParser::DecimalNumeric
  end
end
ARGV.extend(OptionParser::Arguable)
OptParse = OptionParser
