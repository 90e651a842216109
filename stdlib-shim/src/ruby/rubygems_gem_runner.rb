# The program `gem`: its configuration, plug-ins, and the command that its words name.
require "rubygems/command_manager"
require "rubygems/config_file"

module Gem
  class GemRunner
    def initialize
      @command_manager_class = CommandManager
      @config_file_class = ConfigFile
    end

    def run(args)
      build_args = extract_build_args(args)
      Gem.configuration = @config_file_class.new(args)
      home, path = Gem.configuration[:gemhome], Gem.configuration[:gempath]
      Gem.use_paths(home, path) if home || path
      Command.extra_args = Gem.configuration[:gem]
      manager = @command_manager_class.instance
      manager.command_names.each do |name|
        given = Gem.configuration[name]
        Command.add_specific_extra_args(name, given.is_a?(String) ? given.split : Array(given))
      end
      manager.run(Gem.configuration.args, build_args)
    end

    # What is after `--` is for the building of extensions.
    def extract_build_args(args)
      at = args.index("--") or return []
      args.slice!(at..).drop(1)
    end
  end

  begin
    load_env_plugins
  rescue StandardError
    nil
  end
  load_plugins
end
