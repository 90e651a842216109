# `gem environment`: where gems are, and what the settings are.
require "rubygems/command"

module Gem
  module Commands
    class EnvironmentCommand < Command
      ARGUMENTS = {
        "gemdir" => "display the path where gems are installed", "gempath" => "display path used to search for gems", "version" => "display the gem format version",
        "remotesources" => "display the remote gem servers", "platform" => "display the supported gem platforms", "<omitted>" => "display everything"
      }.freeze
      private_constant :ARGUMENTS

      def initialize = super("environment", "Display information about the RubyGems environment")
      def arguments = ARGUMENTS.map { |word, text| "#{word.ljust(16)}#{text}\n" }.join
      def usage = "#{program_name} [arg]"
      def description
        <<~TEXT
          Shows where gems are looked for and installed, the settings of gemrc files
          and the servers of gems; or one of these, for use in scripts.
        TEXT
      end

      def execute
        say(text_for(options[:args].first))
        true
      end

      def show_environment
        places = {
          "RUBYGEMS VERSION" => VERSION, "RUBY VERSION" => "#{RUBY_VERSION} (#{RUBY_RELEASE_DATE} patchlevel #{RUBY_PATCHLEVEL}) [#{RUBY_PLATFORM}]",
          "INSTALLATION DIRECTORY" => Gem.dir, "USER INSTALLATION DIRECTORY" => Gem.user_dir, "RUBY EXECUTABLE" => Gem.ruby, "GIT EXECUTABLE" => git_path,
          "EXECUTABLE DIRECTORY" => Gem.bindir, "SPEC CACHE DIRECTORY" => Gem.spec_cache_dir, "SYSTEM CONFIGURATION DIRECTORY" => ConfigFile::SYSTEM_CONFIG_PATH
        }
        lists = {
          "RUBYGEMS PLATFORMS" => Gem.platforms, "GEM PATHS" => [Gem.dir, *Gem.path].uniq, "GEM CONFIGURATION" => settings,
          "REMOTE SOURCES" => Gem.sources.to_a, "SHELL PATH" => ENV["PATH"].split(File::PATH_SEPARATOR)
        }
        text = ["RubyGems Environment:", *places.map { |title, value| "  - #{title}: #{value}" }, *lists.flat_map { |title, list| ["  - #{title}:", *list.map { |each| "     - #{each}" }] }, ""].join("\n")
        # what is shown here is often pasted somewhere: passwords of servers and proxies are left out
        text.gsub(%r{\w+://[^\s"]*@[^\s"]*}) { |address| Uri.new(address).redacted.to_s }
      end

      private

      def text_for(word)
        case word
        when nil then show_environment
        when /\Aversion/ then VERSION
        when /\A(?:gemdir|gemhome|home|GEM_HOME)/ then Gem.dir
        when /\A(?:gempath|path|GEM_PATH)/ then Gem.path.join(File::PATH_SEPARATOR)
        when /\Aremotesources/ then Gem.sources.to_a.join("\n")
        when /\Aplatform/ then Gem.platforms.join(File::PATH_SEPARATOR)
        else raise CommandLineError, "Unknown environment option [#{word}]"
        end
      end

      # A key is not shown.
      def settings = Gem.configuration.to_enum.map { |name, value| "#{name.inspect} => #{(name == "gemcutter_key" ? value.gsub(/./, "*") : value).inspect}" }
      def git_path = ENV["PATH"].split(File::PATH_SEPARATOR).map { |folder| File.join(folder, "git") }.find { |path| File.executable?(path) && !File.directory?(path) }
    end
  end
end
