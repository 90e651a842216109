# What a gem says of itself, and the gems there are: in GEM_PATH, vendor/gems, `--gem-path` and rchef's own gem home; and those that rchef is in place of.
module Gem
  class ExtensionError < LoadError
    def initialize(spec)
      @name, @requirement = spec.name, nil
      super("the gem '#{spec.name}' (#{spec.version}) has a compiled extension (#{spec.extensions.first}), which cannot be loaded: use a gem of pure Ruby, or do without it")
    end
  end

  class Specification < BasicSpecification
    extend Enumerable
    attr_accessor :package, :default_executable
    attr_writer :source, :has_rdoc

    class << self
      def load(path)
        path = File.expand_path(path)
        return nil unless File.file?(path)
        made = Dir.chdir(File.dirname(path)) { TOPLEVEL_BINDING.dup.eval(File.read(path), path) }
        return nil unless made.is_a?(Specification)
        made.loaded_from = path
        made
      rescue SyntaxError, StandardError, ::LoadError
        nil
      end

      # What there is, by name, the newest version first, what is installed before what rchef is in place of.
      def all
        @all ||= (installed + provided + Gem.chef_specs).uniq(&:full_name)
      end

      def installed
        @installed ||= folders.flat_map { |folder| found_in(folder) }.uniq(&:full_name).sort_by { |spec| [spec.name, spec.version] }.reverse.sort_by.with_index { |spec, index| [spec.name, index] }
      end

      def each(&block) = block ? all.each(&block) : all.each
      def find_all_by_name(name, *requirements)
        wanted = Dependency.new(name, *requirements.empty? ? [">= 0"] : requirements).requirement
        all.select { |spec| spec.name == name && wanted.satisfied_by?(spec.version) }
      end
      def find_by_name(name, *requirements)
        Dependency.new(name, *requirements.empty? ? [">= 0"] : requirements).to_spec
      end
      def find_all_by_full_name(name) = all.select { |spec| spec.full_name == name }
      # Built-in libraries are no files of a gem.
      def find_by_path(path) = installed.find { |spec| spec.contains_requirable_file?(path) }
      def find_inactive_by_path(path) = installed.find { |spec| !spec.activated? && spec.contains_requirable_file?(path) }
      def latest_specs(prerelease = false) = all.select { |spec| prerelease || !spec.version.prerelease? }.uniq(&:name).sort_by(&:name)
      def latest_spec_for(name) = all.find { |spec| spec.name == name }
      def all=(specs)
        @all = specs
      end
      # The specifications in other folders: all, or those of a gem.
      def each_spec(folders, name = nil)
        return enum_for(__method__, folders, name) unless block_given?
        Array(folders).each { |folder| Util.glob_files_in_dir("#{"#{name}-" if name}*.gemspec", folder).each { |path| (spec = load(path)) && yield(spec) } }
      end
      # Gems of which a server has a newer version, with that version.
      def outdated_and_latest_version
        return enum_for(__method__) unless block_given?
        latest_specs(true).each do |spec|
          offered, = SpecFetcher.fetcher.search_for_dependency(Dependency.new(spec.name, ">= #{spec.version}"))
          newest = offered.map { |tuple,| tuple.version }.max
          yield [spec, newest] if newest && spec.version < newest
        end
        nil
      end
      def outdated = outdated_and_latest_version.map { |spec,| spec.name }
      def stubs = all
      def stubs_for(name) = all.select { |spec| spec.name == name }
      def default_stubs(*) = all.select(&:default_gem?)
      def unresolved_deps = {}
      def all_names = all.map(&:full_name)
      def dirs = folders.map { |folder| File.join(folder, "specifications") }

      # Other folders to look for gems in.
      def dirs=(folders)
        reset
        @folders = Array(folders)
      end
      def reset
        Gem.pre_reset_hooks.each(&:call)
        @all = @installed = nil
        refused.clear
        Gem.post_reset_hooks.each(&:call)
      end

      # The specifications of libraries of rchef that are in place of these gems.
      def stand_ins(names) = provided.select { |spec| names.include?(spec.name) }

      # Why archives could not be read, by their gems' names.
      def refused = @refused ||= {}

      private

      def folders = @folders || Gem.folders
      def installed_stubs(_dirs, pattern) = all.select { |spec| File.fnmatch(pattern, "#{spec.full_name}.gemspec") }

      def provided
        Gem::PROVIDED.filter_map do |name, version, feature|
          next if feature && !Native.known?(feature)
          new(name, version).tap { |spec| spec.stand_in = feature || :ruby }
        end
      end

      def found_in(folder)
        return [archive(folder)].compact if folder.end_with?(".gem")
        specs = Dir.glob(File.join(folder, "specifications", "*.gemspec")).sort.filter_map { |path| load(path)&.tap { |spec| spec.full_gem_path = File.join(folder, "gems", spec.full_name) } }
        # Folders and archives of what has a specification are not looked into: they only say the same, at a far higher price.
        known = specs.to_h { |spec| [spec.full_name, true] }
        specs += libs_in(folder, "gems").filter_map { |path| bare(path) unless known[File.basename(path)] }
        specs += libs_in(folder, ".").filter_map { |path| bare(path) }
        specs + %w(. cache).flat_map { |below| Dir.glob(File.join(File.expand_path(below, folder), "*.gem")).sort }.filter_map { |path| archive(path) unless known[File.basename(path, ".gem")] }
      end
      def libs_in(folder, below) = Dir.glob(File.join(folder, below, "*", "lib")).sort.map { |lib| File.expand_path(File.dirname(lib)) }

      # A gem's folder without a specification beside it: by its own gemspec, else by its name.
      def bare(path)
        spec = Dir.glob(File.join(path, "*.gemspec")).sort.filter_map { |each| load(each) }.first
        unless spec&.name && spec.version
          name, version = File.basename(path).match(/\A(.+?)(?:-(\d[\w.]*))?\z/).captures
          spec = new(name, version || "0")
        end
        spec.full_gem_path = path
        spec.base_dir = File.dirname(path, 2)
        spec.extensions = Dir.glob(File.join(path, "ext", "**", "extconf.rb")).sort.map { |each| each.delete_prefix("#{path}/") } if spec.extensions.empty?
        spec
      end

      def archive(path)
        require "zlib"
        spec = Package.new(path).spec
        folder = File.join(Gem.home, "gems", spec.full_name)
        spec.full_gem_path = folder
        spec.package = path unless File.directory?(folder)
        spec
      rescue Package::Error, Zlib::Error, ArgumentError => error
        refused[File.basename(path)[/\A(.+?)(?=-\d|\.gem\z)/]] = error
        nil
      end
    end

    # Of a gem that a library of rchef is in place of: that library, or `:ruby` for what Ruby itself comes with.
    attr_writer :stand_in
    def stand_in? = !@stand_in.nil?

    def required_rubygems_version=(requirement)
      @required_rubygems_version = Requirement.create(requirement)
    end
    def require_paths = @require_paths.nil? || @require_paths.empty? ? ["lib"] : @require_paths
    def require_path=(path)
      @require_paths = Array(path)
    end
    def require_path = require_paths.first
    def author=(name)
      self.authors = [name]
    end
    def author = authors.first
    def license=(name)
      self.licenses = [name]
    end
    def license = licenses.first
    def executable=(name)
      self.executables = [name]
    end
    def executable = executables.first
    def test_file=(name)
      self.test_files = [name]
    end
    def source = @source ||= Source::Installed.new
    # Compiled extensions are never built.
    def missing_extensions? = !extensions.empty? && !default_gem?
    def has_rdoc = true
    alias has_rdoc? has_rdoc

    def add_runtime_dependency(name, *requirements) = add(name, :runtime, requirements)
    alias add_dependency add_runtime_dependency
    def add_development_dependency(name, *requirements) = add(name, :development, requirements)
    def runtime_dependencies = @dependencies.select { |each| each.type == :runtime }
    def development_dependencies = @dependencies.select { |each| each.type == :development }
    def base_dir = @stand_in ? Gem.default_dir : super
    def bin_dir = File.join(full_gem_path, bindir)
    # Where the documentation of the gem is, or a kind of it (`rdoc`, `ri`).
    def doc_dir(type = nil) = File.join(*[base_dir, "doc", full_name, type].compact)
    def ri_dir = File.join(base_dir, "ri", full_name)
    def bin_file(name) = File.join(bin_dir, name)
    def spec_dir = File.join(base_dir, "specifications")
    def spec_file = File.join(spec_dir, "#{full_name}.gemspec")
    def cache_dir = File.join(base_dir, "cache")
    def cache_file = File.join(cache_dir, file_name)
    def build_info_dir = File.join(base_dir, "build_info")
    def build_info_file = File.join(build_info_dir, "#{full_name}.info")
    # What the gem was built with.
    def build_args = File.exist?(build_info_file) ? File.readlines(build_info_file).map(&:strip).reject(&:empty?) : []
    def default_gem? = @stand_in == :ruby || (!@loaded_from.nil? && in_default_folder?)
    # What needs this gem: the other gem, its dependency, and the gems that would do.
    def dependent_gems(development = true)
      Specification.flat_map do |spec|
        (development ? spec.dependencies : spec.runtime_dependencies).select { |dependency| satisfies_requirement?(dependency) }
          .map { |dependency| [spec, dependency, Specification.select { |each| each.satisfies_requirement?(dependency) }] }
      end
    end
    def dependent_specs = runtime_dependencies.flat_map(&:to_specs)
    # Walks what is needed, and what that needs in turn; where the block gives `:next` it goes no further.
    def traverse(trail = [], visited = {}, &block)
      trail.push(self)
      runtime_dependencies.each do |dependency|
        dependency.matching_specs(true).each do |spec|
          next if visited.key?(spec)
          visited[spec] = true
          trail.push(spec)
          result = block.call(self, dependency, spec, trail)
          trail.pop
          spec.traverse(trail, visited, &block) unless result == :next || trail.any? { |each| each.name == spec.name }
        end
      end
    ensure
      trail.pop
    end
    # Dependencies that do not fit what is loaded.
    def conflicts
      runtime_dependencies.group_by { |dependency| Gem.loaded_specs[dependency.name] }
                          .filter_map { |spec, list| [spec, list.reject { |each| spec.satisfies_requirement?(each) }] if spec }.reject { |_, list| list.empty? }.to_h
    end
    def has_conflicts? = !conflicts.empty?
    def build_extensions = (Ext::Builder.new(self).build_extensions unless default_gem? || extensions.empty?)
    def activated? = Gem.loaded_specs[name] == self
    alias activated activated?
    def satisfies_requirement?(dependency) = name == dependency.name && dependency.requirement.satisfied_by?(version)
    def to_spec = self
    def to_s = "#<Gem::Specification name=#{name} version=#{version}>"
    alias inspect to_s
    def sort_obj = [name, version, platform == Platform::RUBY ? -1 : 1]
    def <=>(other) = sort_obj <=> other.sort_obj
    def ==(other) = other.is_a?(Specification) && name == other.name && version == other.version && platform == other.platform
    alias eql? ==
    def hash = [name, version, platform].hash

    # An archive's files are not looked into before it is unpacked: its list of names tells.
    def contains_requirable_file?(feature)
      return false if @stand_in
      unpack if package && archive_holds?(feature)
      return false unless @full_gem_path || @loaded_from
      names = feature.end_with?(".rb") ? [feature] : ["#{feature}.rb", feature]
      full_require_paths.any? { |path| names.any? { |name| File.file?(File.join(path, name)) } }
    end

    def archive_holds?(feature)
      @names ||= begin
        require "zlib"
        names = []
        Package.each_entry(Zlib.gunzip(Package.new(package).files["data.tar.gz"])) { |name,| names << name }
        names
      end
      require_paths.any? { |path| @names.include?("#{path}/#{feature.delete_suffix(".rb")}.rb") }
    end

    def unpack
      return unless package
      raise ExtensionError, self unless extensions.empty?
      @full_gem_path = Package.new(package).unpack(Gem.home)
      @package = nil
    end

    def activate
      return false if activated?

      other = Gem.loaded_specs[name]
      raise Gem::LoadError, "can't activate #{full_name}, already activated #{other.full_name}" if other
      raise ExtensionError, self unless extensions.empty?
      unpack
      Gem.loaded_specs[name] = self
      runtime_dependencies.each { |dependency| activate_dependency(dependency) }
      $LOAD_PATH.concat(full_require_paths - $LOAD_PATH) unless @stand_in
      true
    rescue ::LoadError
      Gem.loaded_specs.delete(name) if Gem.loaded_specs[name].equal?(self)
      raise
    end

    private

    # A library of rchef will do in any version where no gem that will do is installed.
    def activate_dependency(dependency)
      if (active = Gem.loaded_specs[dependency.name])
        return if dependency.matches_spec?(active) || active.stand_in?
        raise ConflictError.new(self, active => [dependency])
      end
      known = Specification.stubs_for(dependency.name)
      fitting = known.select { |spec| dependency.requirement.satisfied_by?(spec.version) }
      chosen = fitting.find { |spec| spec.extensions.empty? } || known.find(&:stand_in?) || fitting.first
      (chosen || dependency.to_spec).activate
    end
  end
end

require "rubygems/specification/fields"
