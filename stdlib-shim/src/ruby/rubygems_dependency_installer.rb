# Installs a gem with all that it needs: from files here, and from servers if they are to be asked.
require "rubygems/available_set"
require "rubygems/dependency_list"
require "rubygems/installer"
require "rubygems/request_set"
require "rubygems/spec_fetcher"
require "rubygems/user_interaction"

module Gem
  class DependencyInstaller
    include UserInteraction

    DEFAULT_OPTIONS = {
      env_shebang: false, document: %w[ri], domain: :both, force: false, format_executable: false, ignore_dependencies: false, prerelease: false,
      security_policy: nil, wrappers: true, build_args: nil, build_docs_in_background: false, install_as_default: false
    }.freeze
    # What an installer is told of them.
    HANDED_ON = %i[bin_dir build_args document env_shebang force format_executable ignore_dependencies prerelease security_policy user_install wrappers build_root
                   install_as_default dir_mode data_mode prog_mode].freeze
    private_constant :HANDED_ON

    attr_reader :document, :errors, :installed_gems

    def initialize(options = {})
      @only_install_dir = !!options[:install_dir]
      @install_dir = options[:install_dir] || Gem.dir
      @options = DEFAULT_OPTIONS.merge(options)
      @document, @domain, @force, @prerelease, @development, @dev_shallow, @minimal_deps =
        @options.values_at(:document, :domain, :force, :prerelease, :development, :dev_shallow, :minimal_deps)
      @installed_gems, @errors = [], []
    end

    def consider_local? = %i[both local].include?(@domain)
    def consider_remote? = %i[both remote].include?(@domain)
    def install_development_deps = @development ? (@dev_shallow ? :shallow : :all) : :none

    # An AvailableSet of the gems that satisfy a dependency, here and on servers. Where these do not answer, only what is here counts from then on.
    def find_gems_with_sources(dep, best_only = false)
      set = AvailableSet.new
      if consider_local?
        local = Source::Local.new
        found = local.find_gem(dep.name)
        set.add(found, local) if found && dep.matches_spec?(found)
      end
      set << remote_gems(dep, best_only) if consider_remote?
      set
    rescue RemoteFetcher::FetchError => e
      verbose { "Error fetching remote data:\t\t#{e.message}\nFalling back to local-only install" }
      @domain = :local
      set
    end
    extend Gem::Deprecate
    rubygems_deprecate :find_gems_with_sources

    # `dep_or_name`: a dependency, a name, or a `.gem` file. Gives what was installed.
    def install(dep_or_name, version = Requirement.default)
      request_set = resolve_dependencies(dep_or_name, version)
      @installed_gems = []
      options = HANDED_ON.to_h { |name| [name, @options[name]] }
      options[:install_dir] = @install_dir if @only_install_dir
      request_set.install(options) { |_, installer| @installed_gems << installer.spec if installer }
      @installed_gems.sort!
      in_background("Installing documentation") { Gem.done_installing_hooks.each { |hook| hook.call(self, @installed_gems) } } unless Gem.done_installing_hooks.empty?
      @installed_gems
    end

    def resolve_dependencies(dep_or_name, version)
      set = Resolver::InstallerSet.new(@domain)
      set.ignore_installed = @minimal_deps == false || @only_install_dir
      set.force = @force
      version = add_files(set, dep_or_name, version) if consider_local? && dep_or_name.is_a?(String) && dep_or_name.end_with?(".gem")
      dependency = dependency_for(set, dep_or_name, version)
      dependency.prerelease = @prerelease
      set.add_always_install(dependency)

      requests = RequestSet.new(dependency)
      requests.development, requests.development_shallow, requests.soft_missing, requests.prerelease = @development, @dev_shallow, @force, @prerelease
      requests.always_install, requests.remote = set.always_install, set.consider_remote?
      requests.ignore_dependencies = requests.soft_missing = set.ignore_dependencies = true if @options[:ignore_dependencies]
      requests.resolve(set)
      @errors.concat(requests.errors)
      requests
    end

    # In a process of its own if that was asked for.
    def in_background(what, &)
      return yield unless @options[:build_docs_in_background]
      Process.fork(&)
      say("#{what} in a background process.")
    end

    private

    # Pairs of specification and source of what servers have.
    def remote_gems(dep, best_only)
      specs, errors = SpecFetcher.fetcher.spec_for_dependency(dep) do |found|
        # of one version, that for a platform comes before that for all
        best_only ? found.max_by(1) { |tuple,| [tuple.version, tuple.platform == Platform::RUBY ? 0 : 1] } : found
      end
      @errors += errors
      specs
    end

    # Gives the version: a file that is named has only one.
    def add_files(set, name, version)
      sources = File.file?(name) ? [Source::SpecificFile.new(name)] : readable(Dir[name])
      sources.each { |source| set.add_local(name, source.spec, source) }
      File.file?(name) && version == Requirement.default ? sources.first.spec.version : version
    end
    def readable(files)
      files.filter_map do |file|
        Source::SpecificFile.new(file)
      rescue Package::FormatError
        nil
      end
    end

    def dependency_for(set, dep_or_name, version)
      spec = set.local?(dep_or_name)
      return dep_or_name.is_a?(String) ? Dependency.new(dep_or_name, version) : dep_or_name unless spec
      # a file that needs nothing is all that is needed
      set.remote = nil if spec.dependencies.none?
      Dependency.new(spec.name, version)
    end
  end
end
