# The commands of `gem` by their names: those that are there, and those that plug-ins register.
require "rubygems/command"
require "rubygems/remote_fetcher"
require "timeout"

module Gem
  class CommandManager
    include Text
    include UserInteraction

    BUILTIN_COMMANDS = %i[build cleanup contents dependency environment install list outdated push specification uninstall unpack which].freeze
    ALIAS_COMMANDS = { "i" => "install", "login" => "signin", "logout" => "signout" }.freeze

    class << self
      def instance = @instance ||= new
      def reset
        @instance = nil
      end
    end

    def initialize
      @commands = {}
      BUILTIN_COMMANDS.each { |name| register_command(name) }
    end

    # A manager can be given where the class is expected.
    def instance = self

    # The object of a command is made when it is asked for, if it is not given.
    def register_command(command, obj = false)
      @commands[command] = obj
    end
    def unregister_command(command) = @commands.delete(command)
    def command_names = @commands.keys.map(&:to_s).sort

    def [](name)
      name = name.to_sym
      @commands[name] ||= load_and_instantiate(name.to_s) unless @commands[name].nil?
    end

    # Runs what a command line asks for; an error is told, and ends the program.
    def run(args, build_args = nil)
      process_args(args, build_args)
    rescue StandardError, Timeout::Error => error
      alert_error(clean_text("While executing gem ... (#{error.class})\n    #{error.message}"))
      ui.backtrace(error)
      terminate_interaction(1)
    rescue Interrupt
      alert_error(clean_text("Interrupted"))
      terminate_interaction(1)
    end

    def process_args(args, build_args = nil)
      case args.first
      when nil, "-h", "--help" then leave(Command::HELP, args.empty? ? 1 : 0)
      when "-v", "--version" then leave(VERSION, 0)
      when /\A-/
        alert_error(clean_text("Invalid option: #{args.first}. See 'gem --help'."))
        terminate_interaction(1)
      else
        command = find_command(args.shift.downcase)
        command.deprecation_warning if command.deprecated?
        command.invoke_with_build_args(args, build_args)
      end
    end

    # By a name, or the beginning of one that fits no other.
    def find_command(name)
      name = find_alias_command(name)
      fitting = find_command_possibilities(name)
      raise UnknownCommandError, name if fitting.empty?
      raise CommandLineError, "Ambiguous command #{name} matches [#{fitting.join(", ")}]" if fitting.size > 1
      self[fitting.first]
    end
    def find_alias_command(name) = ALIAS_COMMANDS.fetch(name, name)
    def find_command_possibilities(name)
      command_names.include?(name) ? [name] : command_names.select { |each| each.start_with?(name) }
    end

    private

    def leave(text, status)
      say(text)
      terminate_interaction(status)
    end

    # The class may be there already, or in a file of the command's name; what goes wrong is told.
    def load_and_instantiate(name)
      begin
        require "rubygems/commands/#{name}_command"
      rescue ::LoadError => error
        missing = error
      end
      Commands.const_get("#{name.capitalize.gsub(/_(.)/) { $1.upcase }}Command").new
    rescue ::Exception => error
      error = missing || error
      alert_error(clean_text("Loading command: #{name} (#{error.class})\n\t#{error}"))
      ui.backtrace(error)
    end
  end

  # Tells of commands with a similar name.
  class UnknownCommandSpellChecker
    attr_reader :error

    def initialize(error)
      @error = error
    end
    def corrections
      @corrections ||= DidYouMean::SpellChecker.new(dictionary: CommandManager.instance.command_names).correct(error.unknown_command).map(&:inspect)
    end
  end

  class UnknownCommandError
    DidYouMean.correct_error(self, UnknownCommandSpellChecker) if defined?(DidYouMean) && DidYouMean.respond_to?(:correct_error)
  end
end
