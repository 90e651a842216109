# What a Gemfile and its lock come to: the gems of a bundle.
require "bundler/lockfile_parser"
require "bundler/definition_changes"

module Bundler
  class Definition
    include GemHelpers
    include Changes
    attr_reader :dependencies, :locked_deps, :locked_gems, :platforms, :requires, :ruby_version, :lockfile, :gemfiles, :sources

    class << self
      # Whether locks are left as they are.
      attr_accessor :no_lock

      def build(gemfile, lockfile, unlock)
        gemfile = Pathname.new(gemfile).expand_path
        raise GemfileNotFound, "#{gemfile} not found" unless gemfile.file?
        Dsl.evaluate(gemfile, lockfile, unlock || {})
      end
    end

    def initialize(lockfile, dependencies, sources, unlock, ruby_version = nil, optional_groups = [], gemfiles = [])
      @lockfile, @dependencies, @sources, @ruby_version, @optional_groups, @gemfiles = lockfile, dependencies, sources, ruby_version, optional_groups, gemfiles
      @unlock_all = unlock == true
      @unlock = unlock.is_a?(Hash) ? unlock : {}
      @unlocking = @unlock_all || @unlock.any? { |_, value| !Array(value).empty? }
      read_lock
      @locked_platforms = @platforms.dup
      @platforms |= [local_platform] unless current_platform_locked? || Bundler.frozen_bundle?
      compare_with_lock
      @requires = dependencies.select(&:should_include?).to_h { |each| [each.name, Array(each.autorequire || each.name).map { |file| file == true ? each.name : file }] }
    end

    # The gems of the bundle; of some groups; of a dependency alone.
    def specs = @specs ||= materialize(requested_dependencies)
    def specs_for(groups) = groups.empty? ? specs : materialize(dependencies_for(groups))
    def requested_specs = specs_for(requested_groups)
    def requested_dependencies = dependencies_for(requested_groups)
    def new_specs = specs - @locked_specs
    def removed_specs = @locked_specs - specs
    def groups = dependencies.flat_map(&:groups).uniq
    def locked_dependencies = locked_deps.values
    def unlocking? = @unlocking
    def current_dependencies = dependencies.select { |each| each.should_include? && each.gem_platforms(platforms).any? }
    def dependencies_for(groups)
      groups = groups.map(&:to_sym)
      current_dependencies.select { |each| each.groups.intersect?(groups) }
    end

    def missing_specs = resolve.materialize(requested_dependencies).missing_specs
    def missing_specs?
      missing_specs.any?
    rescue BundlerError => error
      Bundler.ui.debug "The definition is missing dependencies, failed to resolve & materialize locally (#{error})"
      @resolve = @specs = nil
      true
    end

    def resolve
      @resolve ||= Bundler.frozen_bundle? || (!unlocking? && nothing_changed?) ? SpecSet.new(@locked_specs.for(dependencies)) : Resolver.new(self, still_locked).resolve(wanted)
    end
    %i[resolve_only_locally! resolve_with_cache! resolve_remotely!].each { |name| define_method(name) { resolve } }

    # Takes in any version that will do what is there, and says what is not.
    def resolve_what_is_there
      resolver = Resolver.new(self, @locked_specs, lenient: true)
      @resolve, @specs = resolver.resolve(wanted & current_dependencies), nil
      resolver.missing
    end

    def spec_git_paths = sources.git_sources.filter_map { |source| File.realpath(source.path) if File.exist?(source.path) }

    def to_lock
      require "bundler/lockfile_generator"
      LockfileGenerator.generate(self)
    end

    # Writes the lock, where it says something else than before; not where gems are only stood in for.
    def lock(file, _preserve_unknown_sections = false)
      return if Definition.no_lock || stood_in_for?
      contents = to_lock
      return if file && File.exist?(file) && same_lock?(@lockfile_contents, contents)
      return Bundler.ui.error("Cannot write a changed lockfile while frozen.") if Bundler.frozen_bundle?
      contents = contents.gsub("\n", "\r\n") if @lockfile_contents.include?("\r\n")
      SharedHelpers.filesystem_access(file) { |path| File.binwrite(path, contents) }
    end

    def locked_ruby_version
      return unless ruby_version
      ruby_changed? || @locked_ruby_version.nil? ? RubyVersion.system : @locked_ruby_version
    end
    def locked_ruby_version_object
      return unless @locked_ruby_version
      RubyVersion.from_string(@locked_ruby_version) ||
        raise(LockfileError, "The Ruby version #{@locked_ruby_version} from #{lockfile} could not be parsed. Try running bundle update --ruby to resolve this.")
    end

    def validate_runtime!
      validate_ruby!
      validate_platforms!
    end

    def validate_ruby!
      kind, wanted, actual = ruby_version&.diff(RubyVersion.system)
      return unless kind
      raise RubyVersionMismatch, case kind
                                 when :engine then "Your Ruby engine is #{actual}, but your Gemfile specified #{wanted}"
                                 when :version then "Your Ruby version is #{actual}, but your Gemfile specified #{wanted}"
                                 when :engine_version then "Your #{RubyVersion.system.engine} version is #{actual}, but your Gemfile specified #{ruby_version.engine} #{wanted}"
                                 else wanted.is_a?(String) ? "Your Ruby patchlevel is #{actual}, but your Gemfile specified #{wanted}" : "The Ruby patchlevel in your Gemfile must be a string"
                                 end
    end

    def validate_platforms!
      return if current_platform_locked?
      raise ProductionError, "Your bundle only supports platforms #{platforms.map(&:to_s)} but your local platform is #{local_platform}. " \
                             "Add the current platform to the lockfile with\n`bundle lock --add-platform #{local_platform}` and try again."
    end

    def add_platform(platform) = @platforms |= [platform]
    def remove_platform(platform)
      @platforms.delete(Gem::Platform.new(platform)) or
        raise InvalidOption, "Unable to remove the platform `#{platform}` since the only platforms are #{platforms.join(", ")}"
    end
    def most_specific_locked_platform = platforms.min_by { |platform| platform_specificity_match(platform, local_platform) }

    private

    def wanted = dependencies.select { |each| each.gem_platforms(platforms).any? && each.current_platform? }
    def requested_groups = groups - Bundler.settings[:without] - @optional_groups + Bundler.settings[:with]
    def current_platform_locked? = platforms.any? { |platform| MatchPlatform.platforms_match?(platform, local_platform) }
    def stood_in_for? = resolve.any? { |spec| spec.chosen&.stand_in? && !spec.chosen.default_gem? }

    # The gems themselves; Bundler is always one of them.
    def materialize(dependencies)
      found = resolve.materialize(dependencies)
      missing = found.missing_specs
      raise GemNotFound, "Could not find #{missing.map(&:full_name).join(", ")} in any of the sources" if missing.any?
      found << sources.metadata_source.specs.search("bundler").last if found["bundler"].empty?
      found
    end
  end
end
