# Gems that are needed, as one request: which versions go together, in which order they are installed.
require "rubygems/resolver"
require "rubygems/dependency_list"

module Gem
  class RequestSet
    include Gem::TSort

    attr_accessor :always_install, :development, :development_shallow, :ignore_dependencies, :prerelease, :remote, :soft_missing
    attr_reader :dependencies, :errors, :git_set, :install_dir, :resolver, :sets, :source_set, :vendor_set

    def initialize(*deps)
      @dependencies = deps
      @always_install, @errors, @requests, @sets, @named = [], [], [], [], {}
      @development = @development_shallow = @ignore_dependencies = @prerelease = @soft_missing = false
      @install_dir, @remote = Gem.dir, true
      yield self if block_given?
    end

    # Asks for a gem; further requirements of the same gem come to the first ones.
    def gem(name, *requirements)
      return @named[name].requirement.concat(requirements) if @named[name]
      @dependencies << @named[name] = Dependency.new(name, *requirements)
    end
    def import(deps) = @dependencies.concat(deps)

    def resolve(set = Resolver::BestSet.new)
      @sets.push(set, @git_set, @vendor_set, @source_set)
      set = Resolver.compose_sets(*@sets)
      set.remote, set.prerelease = @remote, @prerelease
      @resolver = Resolver.new(@dependencies, set)
      %i[development development_shallow ignore_dependencies soft_missing].each { |option| @resolver.public_send("#{option}=", public_send(option)) }
      @sorted = @specs = nil
      @requests = @resolver.resolve
      @errors = set.errors
      @requests
    end
    def resolve_current = resolve(Resolver::CurrentSet.new)

    def specs = @specs ||= @requests.map(&:full_spec)
    # What others need comes before them.
    def sorted_requests = @sorted ||= strongly_connected_components.flatten
    def tsort_each_node(&) = @requests.each(&)
    def tsort_each_child(node)
      node.spec.dependencies.each do |dependency|
        development = dependency.type == :development
        next if development && !@development
        request = @requests.find { |each| dependency.match?(each.spec.name, each.spec.version, @prerelease) }
        next yield(request) if request
        next if (development && @development_shallow) || @soft_missing
        raise DependencyError, "Unresolved dependency found during sorting - #{dependency} (requested by #{node.spec.full_name})"
      end
    end

    # Installs what was resolved and is not there; the block gets requests with their installers, with nil for what is there.
    def install(options, &block)
      return install_into(options[:install_dir], false, options, &block) if options[:install_dir]
      @prerelease = options[:prerelease]
      sorted_requests.each { |request| request.spec.download(options) unless request.installed? }
      installed = sorted_requests.filter_map { |request| install_request(request, options, &block) }
      install_hooks(installed, options) unless options[:gemdeps]
      installed
    end

    # The same into a folder; what is in it is installed again if that is forced.
    def install_into(dir, force = true, options = {})
      home, ENV["GEM_HOME"] = ENV["GEM_HOME"], dir
      dir = File.expand_path(dir)
      existing = force ? [] : specs_in(dir).reject { |spec| @always_install.include?(spec) }
      options.update(development: false, install_dir: dir, only_install_dir: true)
      @prerelease = options[:prerelease]
      installed = sorted_requests.select do |request|
        known = existing.any? { |spec| spec.full_name == request.spec.full_name }
        if known
          yield request, nil if block_given?
          next
        end
        request.spec.install(options) { |installer| yield request, installer if block_given? }
        true
      end
      install_hooks(installed, options)
      installed
    ensure
      ENV["GEM_HOME"] = home
    end

    def install_hooks(requests, options)
      specs = requests.map { |request| request.is_a?(Resolver::ActivationRequest) ? request.spec.spec : request }
      require "rubygems/dependency_installer"
      installer = DependencyInstaller.new(options)
      installer.installed_gems.replace(specs)
      Gem.done_installing_hooks.each { |hook| hook.call(installer, specs) }
    end

    def specs_in(dir) = Specification.each_spec(File.join(dir, "specifications")).to_a

    # Files of dependencies are read by Bundler.
    def load_gemdeps(path, *) = raise(OperationNotSupportedError, "#{path} is not read here: use Bundler")
    alias install_from_gemdeps load_gemdeps

    def pretty_print(printer)
      words = { "remote" => @remote, "prerelease" => @prerelease, "shallow development" => @development_shallow, "development" => @development && !@development_shallow }
      printer.group(2, "[RequestSet:", "]") do
        printer.breakable
        words.select { |_, set| set }.each_key { |word| printer.text(word) || printer.breakable }
        printer.text("soft missing") if @soft_missing
        printer.group(2, "[dependencies:", "]") do
          printer.breakable
          @dependencies.each { |dependency| printer.text(dependency.to_s) || printer.breakable }
        end
        printer.breakable
        printer.text("sets:")
        printer.breakable
        printer.pp(@sets.map(&:class))
      end
    end

    private

    def install_request(request, options)
      if request.installed? && @always_install.none? { |spec| spec == request.spec.spec }
        yield request, nil if block_given?
        return
      end
      request.spec.install(options) { |installer| yield request, installer if block_given? }
    rescue RuntimeRequirementNotMetError => error
      error.suggestion = "There are no versions of #{request.request} compatible with your Ruby & RubyGems"
      error.suggestion += ". Maybe try installing an older version of the gem you're looking for?" unless @always_install.include?(request.spec.spec)
      raise
    end
  end
end
