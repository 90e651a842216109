# What the commands of `gem` are made of: options, arguments and help.
require "rubygems"
require "rubygems/exceptions"
require "rubygems/optparse"
require "rubygems/user_interaction"

module Gem
  module Deprecate
    # Marks a command as old.
    def rubygems_deprecate_command
      define_method(:deprecated?) { true }
      define_method(:deprecation_warning) { alert_warning("#{command} command is deprecated. It will be removed in Rubygems 4.\n") unless Deprecate.skip }
    end
  end

  # Where the classes of commands are.
  module Commands
  end

  class Command
    include UserInteraction

    OptionParser.accept(Symbol, &:to_sym)
    WIDTH = 76
    private_constant :WIDTH

    class << self
      attr_writer :build_args

      # Options that every command has: what describes them, and the block that handles them.
      def common_options = @common_options ||= []
      def add_common_option(*args, &handler) = common_options << [args, handler]
      def build_args = @build_args ||= []

      # Words that gemrc files put before the arguments of all commands, or of one.
      def extra_args = @extra_args ||= []
      def extra_args=(value)
        value = value.split(" ") if value.is_a?(String)
        @extra_args = value if value.is_a?(Array)
      end
      def specific_extra_args(name) = specific_extra_args_hash[name]
      def add_specific_extra_args(name, args)
        specific_extra_args_hash[name] = args.is_a?(String) ? args.split(/\s+/) : args
      end
      def specific_extra_args_hash = @specific_extra_args_hash ||= Hash.new { |hash, name| hash[name] = [] }
    end

    attr_reader :command, :options
    attr_accessor :defaults, :program_name, :summary

    def initialize(command, summary = nil, defaults = {})
      @command, @summary, @defaults = command, summary, defaults
      @program_name = "gem #{command}"
      @options = defaults.dup
      @option_groups = Hash.new { |groups, name| groups[name] = [] }
      @deprecated_options = { command => {} }
      @parser = @when_invoked = nil
    end

    # What a command's class defines in its own way.
    def execute = raise(Exception, "generic command has no actions")
    def arguments = ""
    def defaults_str = ""
    def description = nil
    def usage = program_name
    def deprecated? = false

    def begins?(long, short) = !short.nil? && long.start_with?(short)

    # The names among the arguments: what is no option.
    def get_all_gem_names
      given = options[:args] || []
      raise CommandLineError, "Please specify at least one gem name (e.g. gem build GEMNAME)" if given.empty?
      given.grep_v(/^-/)
    end

    # The same, `NAME:VERSION` taken apart.
    def get_all_gem_names_and_versions
      get_all_gem_names.map { |word| (found = word.match(/\A(.*):(#{Requirement::PATTERN_RAW})\z/)) ? found[1, 2] : [word] }
    end

    def get_one_gem_name
      given = options[:args] || []
      raise CommandLineError, "Please specify a gem name on the command line (e.g. gem build GEMNAME)" if given.empty?
      raise CommandLineError, "Too many gem names (#{given.join(", ")}); please specify only one" if given.size > 1
      given.first
    end
    def get_one_optional_argument = options[:args]&.first

    # A version that is given as an option is that of one gem.
    def check_one_version(verb)
      return if options[:version] == Requirement.default || get_all_gem_names.size < 2
      end_with_error("Can't use --version with multiple gems. You can specify multiple gems with version requirements using `gem #{verb} 'my_gem:1.0.0' 'my_other_gem:~>2.0.0'`")
    end

    # Says that a gem was not found, why, and which have a similar name.
    def show_lookup_failure(gem_name, version, errors, suppress_suggestions = false, required_by = nil)
      wanted = "'#{gem_name}' (#{version})"
      if errors.nil? || errors.empty?
        needed = " (required by #{required_by})" if required_by && required_by != wanted
        alert_error("Could not find a valid gem #{wanted}#{needed} in any repository")
      else
        alert_error("Could not find a valid gem #{wanted}, here is why:\n#{errors.map { |each| "          #{each.wordy}\n" }.join}")
      end
      return if suppress_suggestions
      similar = SpecFetcher.fetcher.suggest_gems_from_name(gem_name, :latest, 10)
      alert_error("Possible alternatives: #{similar.join(", ")}") unless similar.empty?
    end

    def show_help
      parser.program_name = usage
      say(parser)
    end

    def invoke(*args) = invoke_with_build_args(args, nil)

    # Runs the command; with `--silent` all it says goes nowhere.
    def invoke_with_build_args(args, build_args)
      handle_options(args)
      options[:build_args] = build_args
      return help_or_execute unless options[:silent]
      begin
        quiet = SilentUI.new
        use_ui(quiet) { help_or_execute }
      ensure
        quiet&.close
      end
    end

    # A block to call in place of `execute`.
    def when_invoked(&block)
      @when_invoked = block
    end

    # The block gets an option's value and the options; a Symbol before the rest names a group of the help text.
    def add_option(*opts, &handler)
      group = opts.first.is_a?(Symbol) ? opts.shift : :options
      raise "Do not pass an empty string in opts" if opts.include?("")
      @option_groups[group] << [opts, handler]
    end

    def remove_option(name)
      @option_groups.each_value { |list| list.reject! { |args,| args.grep(String).any? { |word| word.start_with?(name) } } }
    end

    # Makes an option one that is warned of.
    def deprecate_option(name, version: nil, extra_msg: nil)
      @deprecated_options[command][name] = { "rg_version_to_expire" => version, "extra_msg" => extra_msg }
    end

    def check_deprecated_options(options)
      old = @deprecated_options[command]
      options.each do |option|
        next unless old.key?(option)
        horizon, more = old[option].values_at("rg_version_to_expire", "extra_msg")
        text = "The \"#{option}\" option has been deprecated and will be removed in #{horizon ? "Rubygems #{horizon}" : "future versions of Rubygems"}."
        alert_warning([text, more].compact.join(" "))
      end
    end

    def merge_options(new_options)
      @options = @defaults.merge(new_options)
    end

    # Whether words can be parsed; their handlers run.
    def handles?(args)
      parser.parse!(args.dup)
      true
    rescue StandardError
      false
    end

    # Options come from the words, what is left is `:args`.
    def handle_options(args)
      args = add_extra_args(args)
      check_deprecated_options(args)
      @options = Marshal.load(Marshal.dump(@defaults))
      parser.parse!(args)
      @options[:args] = args
    end

    # The words that gemrc files give, those that this command knows, and the arguments.
    def add_extra_args(args)
      waiting = Command.extra_args + Command.specific_extra_args(@command)
      known = []
      until waiting.empty?
        option = [waiting.shift]
        option << waiting.shift if waiting.first.to_s.match?(/\A[^-]/)
        known.concat(option) if handles?(option)
      end
      known + args
    end

    private

    def end_with_error(text)
      alert_error(text)
      terminate_interaction(1)
    end

    def help_or_execute
      return show_help if options[:help]
      @when_invoked ? @when_invoked.call(options) : execute
    end

    def parser = @parser || create_option_parser

    # The parser, with the parts of the help text in their order.
    def create_option_parser
      @parser = OptionParser.new
      @parser.separator(nil)
      configure_options("", @option_groups[:options])
      @option_groups.except(:options).sort_by { |name,| name.to_s }.each do |name, list|
        @parser.separator(nil)
        configure_options(name, list)
      end
      @parser.separator(nil)
      configure_options("Common", Command.common_options)
      add_help_section("Arguments", arguments.split("\n"))
      add_help_section("Summary", wrap(@summary, WIDTH).split("\n").map(&:strip)) if @summary
      add_help_section("Description", help_paragraphs(description)) if description
      add_help_section("Defaults", defaults_str.split("\n"))
      @parser
    end

    def configure_options(header, list)
      return if list.nil? || list.empty?
      @parser.separator("  #{"#{header} " unless header.empty?}Options:")
      list.each { |args, handler| @parser.on(*args) { |value| handler.call(value, @options) } }
      @parser.separator("")
    end

    def add_help_section(title, lines)
      return if lines.empty? && %w[Arguments Defaults].include?(title)
      @parser.separator(nil)
      @parser.separator("  #{title}:")
      lines.each { |line| @parser.separator("    #{line}") }
    end

    def help_paragraphs(text) = text.split("\n\n").map { |part| wrap(part, WIDTH) }.join("\n").split("\n").map(&:rstrip)

    # Breaks lines at spaces, so that none is wider; each ends with a newline.
    def wrap(text, width)
      text.each_line(chomp: true).map do |line|
        pieces = []
        while line.length > width
          cut = line.rindex(" ", width).to_i
          cut = width unless cut.positive?
          pieces << line[0, cut]
          line = line[cut..].sub(/\A +/, "")
        end
        pieces << line unless line.empty? && pieces.any?
        pieces.map { |piece| "#{piece}\n" }.join
      end.join
    end

    add_common_option("-h", "--help", "Get help on this command") { |_, options| options[:help] = true }
    add_common_option("-V", "--[no-]verbose", "Set the verbose level of output") do |value, _|
      # a number is more than `true`: progress is shown
      Gem.configuration.verbose = Gem.configuration.verbose && value ? 1 : value
    end
    add_common_option("-q", "--quiet", "Silence command progress meter") { Gem.configuration.verbose = false }
    add_common_option("--silent", "Silence RubyGems output") { |_, options| options[:silent] = true }
    # Only in the help text: the configuration takes these before a command gets its arguments.
    {
      "--config-file FILE" => "Use this config file instead of default", "--backtrace" => "Show stack backtrace on errors",
      "--debug" => "Turn on Ruby debugging", "--norc" => "Avoid loading any .gemrc file"
    }.each { |option, text| add_common_option(option, text) { nil } }

    HELP = <<~TEXT.freeze
      gem COMMAND [words] [options]

        gem build FILE.gemspec   makes a gem
        gem install NAME|FILE    installs a gem with what it needs
        gem uninstall NAME       removes a gem
        gem list [REGEXP]        shows the gems that are there, or that a server has
        gem contents NAME        shows the files of a gem
        gem dependency REGEXP    shows what a gem needs
        gem specification NAME   shows what a gem says of itself
        gem unpack NAME          writes the files of a gem into a folder
        gem which FILE           shows where a library lies
        gem cleanup [NAME]       removes old versions of gems
        gem outdated             shows the gems of which a server has a newer version
        gem environment          shows where gems are
        gem push FILE.gem        hands a gem to a server

      Plug-ins may bring further commands. `gem COMMAND --help` shows what a command takes.
    TEXT
  end
end
