# The gems of a bundle, made ready for `require`.
require "bundler/shared_helpers"

module Bundler
  class Runtime
    include SharedHelpers

    def initialize(root, definition)
      @root, @definition = root, definition
    end

    %i[requested_specs specs dependencies current_dependencies requires].each do |name|
      define_method(name) do
        raise ArgumentError, "no definition when calling Runtime##{name}" unless @definition
        @definition.public_send(name)
      end
    end
    alias gems specs

    def setup(*groups)
      @definition.ensure_equivalent_gemfile_and_lockfile if Bundler.frozen_bundle?
      activate(@definition.specs_for(groups))
      lock(preserve_unknown_sections: true)
      self
    end

    # What is there is made ready, in whatever version it is; gives what is not there. The lock stays as it is.
    def setup_what_is_there
      missing = @definition.resolve_what_is_there
      activate(@definition.specs, any_version: true)
      missing
    end

    def require(*groups)
      groups = groups.empty? ? [:default] : groups.map(&:to_sym)
      @definition.dependencies.each { |each| require_gem(each) if each.groups.intersect?(groups) && each.should_include? }
    end

    def lock(options = {})
      return if @definition.nothing_changed? && !@definition.unlocking?
      @definition.lock(Bundler.default_lockfile, options[:preserve_unknown_sections])
    end

    private

    def activate(specs, any_version: false)
      # Programs that are started from here would insist on what is missing.
      SharedHelpers.set_bundle_environment unless any_version
      paths = specs.map do |spec|
        next [] if spec.name == "bundler" || (any_version && Gem.loaded_specs.key?(spec.name))
        refuse_other_version(spec)
        Bundler.rubygems.mark_loaded(spec)
        own_paths(spec)
      end
      Bundler.rubygems.add_to_load_path(paths.reverse.flatten - $LOAD_PATH)
    end

    # A library of the engine has no folder; an archive gets one now.
    def own_paths(spec)
      return [] if spec.stand_in?
      spec.unpack if spec.package && spec.extensions.empty?
      spec.load_paths
    end

    def refuse_other_version(spec)
      active = Bundler.rubygems.loaded_specs(spec.name)
      return if active.nil? || active.version == spec.version || active.stand_in?
      advice = "Prepending `bundle exec` to your command may solve this."
      advice = "Since #{spec.name} is a default gem, you can either remove your dependency on it or try updating to a newer version of bundler that supports #{spec.name} as a default gem." if active.default_gem?
      error = Gem::LoadError.new("You have already activated #{active.name} #{active.version}, but your Gemfile requires #{spec.name} #{spec.version}. #{advice}")
      error.name, error.requirement = spec.name, Gem::Requirement.new(spec.version.to_s)
      raise error
    end

    # The files that the Gemfile names, else the one with the gem's name, else that with dashes as folders.
    def require_gem(dependency)
      file = nil
      Array(dependency.autorequire || dependency.name).each { |name| load_file(file = name == true ? dependency.name : name) }
    rescue LoadError => error
      raise if dependency.autorequire || error.path != file
      require_in_folders(dependency.name) if dependency.name.include?("-")
    end

    def require_in_folders(name)
      file = name.tr("-", "/")
      Kernel.require(file)
    rescue LoadError => error
      raise unless error.path == file
    end

    def load_file(file)
      Kernel.require(file)
    rescue RuntimeError => error
      raise GemRequireError.new(error, "There was an error while trying to load the gem '#{file}'.")
    end
  end
end
