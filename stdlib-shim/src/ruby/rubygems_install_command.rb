# `gem install`: gems from files and servers, with what they need.
require "rubygems/command"
require "rubygems/dependency_installer"
require "rubygems/install_update_options"
require "rubygems/local_remote_options"
require "rubygems/version_option"

module Gem
  module Commands
    class InstallCommand < Command
      include VersionOption
      include LocalRemoteOptions
      include InstallUpdateOptions

      attr_reader :installed_specs

      def initialize
        defaults = DependencyInstaller::DEFAULT_OPTIONS.merge(format_executable: false, suggest_alternate: true, version: Requirement.default)
        super("install", "Install a gem into the local repository", defaults.merge(install_update_options))
        add_install_update_options
        add_local_remote_options
        add_platform_option
        add_version_option
        add_prerelease_option("to be installed. (Only for listed gems)")
        @installed_specs = []
      end

      def arguments = "GEMNAME       name of gem to install"
      def defaults_str = "--both --version '#{Requirement.default}' --no-force\n--install-dir #{Gem.dir}\n#{install_update_defaults_str}"
      def usage = "#{program_name} [options] GEMNAME [GEMNAME ...] -- --build-flags"
      def description
        <<~TEXT
          Installs gems, from .gem files of the current folder or from servers, and
          the gems that they need. A gem with a compiled extension is refused.
        TEXT
      end

      def execute
        @installed_specs = []
        ENV.delete("GEM_PATH") unless options[:install_dir]
        check_install_dir
        check_version
        require options[:install_as_default] ? "rubygems/install_default_message" : "rubygems/install_message"
        status = install_gems
        say("#{@installed_specs.size} #{@installed_specs.one? ? "gem" : "gems"} installed") unless @installed_specs.empty?
        terminate_interaction(status)
      end

      def check_install_dir
        end_with_error("Use --install-dir or --user-install but not both") if options[:install_dir] && options[:user_install]
      end
      def check_version = check_one_version("install")

      def install_gem(name, version)
        return if options[:conservative] && !Dependency.new(name, version).matching_specs.empty?
        installer = DependencyInstaller.new(options)
        requests = installer.resolve_dependencies(name, Requirement.create(version))
        if options[:explain]
          say("Gems to install:")
          requests.sorted_requests.each { |request| say("  #{request.full_name}") }
        else
          @installed_specs.concat(requests.install(options))
        end
        installer.errors.grep(SourceFetchProblem).each do |problem|
          alert_warning("Unable to pull data from '#{Uri.new(problem.source.uri).redacted}': #{problem.error.message}")
        end
      end

      # Gives the status of the program: bits for what could not be installed, and what was not found.
      def install_gems
        quiet = options[:domain] == :local || !options[:suggest_alternate]
        get_all_gem_names_and_versions.map do |name, version|
          version ||= options[:version]
          install_gem(name, version)
          0
        rescue InstallError => error
          alert_error("Error installing #{name}:\n\t#{error.message}")
          1
        rescue SpecificGemNotFoundException, UnsatisfiableDependencyError => error
          show_lookup_failure(error.name, error.version, error.errors, quiet, *("'#{name}' (#{version})" if error.is_a?(UnsatisfiableDependencyError)))
          2
        end.inject(0, :|)
      end
    end
  end
end
