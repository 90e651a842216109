# Gems of pure Ruby: found in GEM_PATH, in vendor/gems, in what `--gem-path` names and in rchef's own gem home; `.gem` archives are unpacked there.
# A gem with a compiled extension is refused by name.
require "rubygems/native"

module Gem
  class ExtensionError < LoadError
    def initialize(spec)
      @name, @requirement = spec.name, nil
      super("the gem '#{spec.name}' (#{spec.version}) has a compiled extension (#{spec.extensions.first}), which cannot be loaded: use a gem of pure Ruby, or do without it")
    end
  end

  class Package
    class FormatError < InstallError; end
    class PathError < InstallError; end

    # The entries of a tar archive: name, bytes, mode and kind.
    def self.each_entry(data)
      at = 0
      long_name = nil
      while at + 512 <= data.bytesize
        header = data.byteslice(at, 512)
        at += 512
        next if header.delete("\0").empty?
        name, mode, size, kind, link, prefix = header.unpack("Z100 A8 x16 A12 x12 x8 a1 Z100 x6 x2 x32 x32 x16 Z155").values_at(0, 1, 2, 3, 4, 5)
        sum = header.bytes.each_with_index.sum { |byte, index| index.between?(148, 155) ? 32 : byte }
        raise FormatError, "the archive's header is damaged" unless header.byteslice(148, 8).oct == sum
        size = size.oct
        raise FormatError, "the archive is cut short" if at + size > data.bytesize
        body = data.byteslice(at, size)
        at += (size + 511) / 512 * 512
        if kind == "L"
          long_name = body.delete("\0")
          next
        end
        name = long_name || (prefix.empty? ? name : "#{prefix}/#{name}")
        long_name = nil
        yield name, body, mode.oct, kind, link
      end
    end

    attr_reader :path
    def initialize(path)
      @path = path
    end

    def files
      @files ||= begin
        found = {}
        Package.each_entry(File.binread(@path)) { |name, body,| found[name] = body }
        raise FormatError, "#{@path}: no metadata.gz and data.tar.gz" unless found["metadata.gz"] && found["data.tar.gz"]
        found
      end
    end

    def verify
      require "digest"
      require "zlib"
      sums = files["checksums.yaml.gz"] or raise FormatError, "#{@path}: no checksums"
      section = nil
      checked = []
      Zlib.gunzip(sums).each_line do |line|
        case line
        when /\A(\w+):\s*\z/ then section = $1
        when /\A  (\S+): ["']?(\h+)["']?\s*\z/
          next unless section == "SHA256" && files[$1]
          raise FormatError, "#{@path}: the checksum of #{$1} does not match" unless Digest::SHA256.hexdigest(files[$1]) == $2
          checked << $1
        end
      end
      raise FormatError, "#{@path}: no SHA256 checksums" unless (%w(metadata.gz data.tar.gz) - checked).empty?
    end

    def spec
      @spec ||= begin
        require "zlib"
        Specification.from_metadata(Zlib.gunzip(files["metadata.gz"]), @path)
      end
    end

    # Unpacks below `home`; nothing is written outside of the gem's folder.
    def unpack(home)
      verify
      require "fileutils"
      folder = File.join(home, "gems", spec.full_name)
      raise PathError, "#{@path}: bad name #{spec.full_name}" unless spec.full_name.match?(/\A[A-Za-z0-9][\w.\-]*\z/)
      fresh = "#{folder}.unpacking"
      FileUtils.rm_rf(fresh)
      Package.each_entry(Zlib.gunzip(files["data.tar.gz"])) do |name, body, mode, kind, _|
        parts = name.split("/")
        raise PathError, "#{@path}: #{name} leads out of the gem" if name.start_with?("/") || parts.include?("..") || name.include?("\0")
        target = File.join(fresh, *parts.reject { |part| part == "." })
        case kind
        when "5" then FileUtils.mkdir_p(target)
        when "0", "\0", ""
          FileUtils.mkdir_p(File.dirname(target))
          File.binwrite(target, body)
          File.chmod(mode & 0o755 | 0o600, target)
        when "1", "2" then raise PathError, "#{@path}: #{name} is a link"
        end
      end
      FileUtils.mkdir_p(File.join(home, "specifications"))
      FileUtils.rm_rf(folder)
      FileUtils.mkdir_p(File.dirname(folder))
      File.rename(fresh, folder)
      File.write(File.join(home, "specifications", "#{spec.full_name}.gemspec"), spec.to_ruby)
      folder
    end
  end

  class Specification
    LISTS = %i(files executables extensions test_files extra_rdoc_files rdoc_options licenses authors cert_chain requirements).freeze
    PLAIN = %i(summary description homepage license email author bindir platform required_ruby_version required_rubygems_version metadata post_install_message date original_platform rubygems_version installed_by_version signing_key default_executable rubyforge_project specification_version has_rdoc test_file).freeze
    attr_accessor :name, :loaded_from, :package, *LISTS, *PLAIN
    attr_reader :version, :dependencies
    attr_writer :require_paths, :full_gem_path

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

      # From a gem's metadata: the YAML that rubygems writes.
      def from_metadata(text, path)
        made = new
        made.name = text[/^name: ["']?([^"'\n]+)/, 1]
        made.version = text[/^version:.*\n\s+version: ["']?([^"'\n]+)/, 1]
        made.platform = text[/^platform: ["']?([^"'\n]+)/, 1]
        made.summary = text[/^summary: ["']?(.*?)["']?$/, 1]
        made.extensions = list(text, "extensions")
        made.require_paths = list(text, "require_paths")
        made.package = path
        text[/^dependencies:\n((?:[- ].*\n)*)/, 1].to_s.split(/^- !ruby\/object:Gem::Dependency\n/).drop(1).each do |part|
          next unless part[/^  type: :(\w+)/, 1] == "runtime"
          wanted = part[/^  requirement:.*?\n(.*?)^  type:/m, 1].to_s.scan(/- - ["']?([^"'\n]+?)["']?\n\s+- !ruby\/object:Gem::Version\n\s+version: ["']?([^"'\n]+)/)
          made.add_runtime_dependency(part[/name: ["']?([^"'\n]+)/, 1], *wanted.map { |operator, version| "#{operator} #{version}" })
        end
        raise Package::FormatError, "#{path}: metadata without name and version" unless made.name && made.version
        made
      end

      def list(text, key)
        inline = text[/^#{key}: *\[(.*)\] *$/, 1] and return inline.scan(/[^\s,"']+/)
        text[/^#{key}:\n((?:- .*\n)+)/, 1].to_s.scan(/^- ["']?([^"'\n]+)/).flatten
      end

      # What is installed, the newest version of a name first.
      def all
        @all ||= Gem.folders.flat_map { |folder| found_in(folder) }.uniq(&:full_name).sort_by { |spec| [spec.name, spec.version] }.reverse.sort_by.with_index { |spec, index| [spec.name, index] }
      end

      def each(&block) = block ? all.each(&block) : all.each
      def find_all_by_name(name, *requirements)
        raise ArgumentError, "dependency name must be a String, was #{name.inspect}" unless name.is_a?(String)
        wanted = Requirement.create(*requirements)
        all.select { |spec| spec.name == name && wanted.satisfied_by?(spec.version) }
      end
      def find_by_name(name, *requirements)
        wanted = Requirement.create(*requirements)
        find_all_by_name(name, wanted).first || raise(missing(name, wanted))
      end
      def missing(name, wanted)
        known = all.select { |spec| spec.name == name }
        known.empty? ? MissingSpecError.new(name, wanted) : MissingSpecVersionError.new(name, wanted, known)
      end
      def find_by_path(path) = all.find { |spec| spec.contains_requirable_file?(path) }
      def find_by_full_name(name) = all.find { |spec| spec.full_name == name }
      def latest_specs(*) = all.uniq(&:name)
      def stubs = all
      def stubs_for(name) = find_all_by_name(name)
      def all_names = all.map(&:full_name)
      def dirs = Gem.folders.map { |folder| File.join(folder, "specifications") }
      def reset
        @all = nil
        refused.clear
      end

      # Why archives could not be read, by their gems' names.
      def refused = @refused ||= {}

      private

      def found_in(folder)
        return [archive(folder)].compact if folder.end_with?(".gem")
        specs = Dir.glob(File.join(folder, "specifications", "*.gemspec")).sort.filter_map { |path| load(path)&.tap { |spec| spec.full_gem_path = File.join(folder, "gems", spec.full_name) } }
        specs += %w(gems .).flat_map { |below| Dir.glob(File.join(folder, below, "*", "lib")).sort.map { |lib| File.expand_path(File.dirname(lib)) } }.filter_map { |path| bare(path) }
        specs + %w(. cache).flat_map { |below| Dir.glob(File.join(File.expand_path(below, folder), "*.gem")).sort }.filter_map { |path| archive(path) }
      end

      # A gem's folder without a specification beside it: by its own gemspec, else by its name.
      def bare(path)
        spec = Dir.glob(File.join(path, "*.gemspec")).sort.filter_map { |each| load(each) }.first
        unless spec&.name && spec.version
          name, version = File.basename(path).match(/\A(.+?)(?:-(\d[\w.]*))?\z/).captures
          spec = new(name, version || "0")
        end
        spec.full_gem_path = path
        spec.extensions = Dir.glob(File.join(path, "ext", "**", "extconf.rb")).sort.map { |each| each.delete_prefix("#{path}/") } if spec.extensions.empty?
        spec
      end

      def archive(path)
        spec = Package.new(path).spec
        folder = File.join(Gem.home, "gems", spec.full_name)
        spec.full_gem_path = folder
        spec.package = path unless File.directory?(folder)
        spec
      rescue InstallError, Zlib::Error => error
        refused[File.basename(path)[/\A(.+?)(?=-\d|\.gem\z)/]] = error
        nil
      end
    end

    def initialize(name = nil, version = nil)
      LISTS.each { |each| instance_variable_set(:"@#{each}", []) }
      @dependencies = []
      @metadata = {}
      @name = name
      self.version = version if version
      yield self if block_given?
    end

    def version=(version)
      @version = Version.create(version)
    end
    def require_paths = @require_paths.nil? || @require_paths.empty? ? ["lib"] : @require_paths
    def require_path=(path)
      @require_paths = Array(path)
    end
    def require_path = require_paths.first
    def add_runtime_dependency(name, *requirements) = @dependencies << Dependency.new(name, *requirements)
    alias add_dependency add_runtime_dependency
    def add_development_dependency(*) = self
    def runtime_dependencies = @dependencies.select { |each| each.type == :runtime }
    def full_name = "#{name}-#{version}#{"-#{platform}" if platform && platform.to_s != "ruby"}"
    def full_gem_path = @full_gem_path || (@loaded_from && File.dirname(@loaded_from))
    alias gem_dir full_gem_path
    def lib_dirs_glob = File.join(full_gem_path, "{#{require_paths.join(",")}}")
    def full_require_paths = require_paths.map { |path| File.join(full_gem_path, path) }
    def base_dir = File.dirname(full_gem_path, 2)
    def activated? = Gem.loaded_specs.key?(name)
    def satisfies_requirement?(dependency) = name == dependency.name && dependency.requirement.satisfied_by?(version)
    def assign(*) = self
    def required_ruby_version=(requirement)
      @required_ruby_version = requirement
    end
    def respond_to_missing?(name, _all = false) = name.end_with?("=")
    def method_missing(name, *args)
      name.end_with?("=") ? args.first : super
    end
    def to_s = "#<Gem::Specification name=#{name} version=#{version}>"
    alias inspect to_s
    def ==(other) = other.is_a?(Specification) && full_name == other.full_name

    # An archive's files are not looked into before it is unpacked: its list of names tells.
    def contains_requirable_file?(feature)
      unpack if package && archive_holds?(feature)
      return false unless full_gem_path
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
      raise ExtensionError, self unless extensions.empty?
      unpack
      Gem.loaded_specs[name] = self
      runtime_dependencies.each do |dependency|
        next if Gem.loaded_specs.key?(dependency.name)
        found = Specification.find_all_by_name(dependency.name, dependency.requirement).first
        raise Specification.missing(dependency.name, dependency.requirement) unless found
        found.activate
      end
      $LOAD_PATH.concat(full_require_paths - $LOAD_PATH)
      true
    end

    def to_ruby
      lines = ["Gem::Specification.new do |s|", "  s.name = #{name.dump}", "  s.version = #{version.to_s.dump}", "  s.require_paths = #{require_paths.inspect}", "  s.extensions = #{extensions.inspect}"]
      runtime_dependencies.each { |each| lines << "  s.add_runtime_dependency(#{each.name.dump}, #{each.requirement.as_list.inspect})" }
      (lines << "end").join("\n") + "\n"
    end
  end

  class MissingSpecError
    def initialize(name, requirement, extra = nil)
      super()
      @name, @requirement, @extra = name, requirement, extra
    end
    def message = "Could not find '#{@name}' (#{@requirement}) among #{Specification.all.size} total gem(s)\nChecked in 'GEM_PATH=#{Gem.path.join(":")}' #{@extra if @extra.is_a?(String)}, execute `gem env` for more information"
    alias to_s message
  end

  class MissingSpecVersionError
    attr_reader :specs
    def initialize(name, requirement, specs)
      super(name, requirement)
      @specs = specs
    end
    def message = "Could not find '#{@name}' (#{@requirement}) - did find: [#{@specs.map(&:full_name).join(",")}]\nChecked in 'GEM_PATH=#{Gem.path.join(":")}' , execute `gem env` for more information"
    alias to_s message
  end

  class << self
    attr_writer :extra_folders

    # Where unpacked archives go.
    def home = ENV["GEM_HOME"] || (Process.euid == 0 ? "/var/lib/rchef/gems" : File.join(ENV["HOME"] || "/tmp", ".local/share/rchef/gems"))
    alias dir home
    alias default_dir home
    def path = [home, *ENV["GEM_PATH"].to_s.split(":")].uniq
    def folders = [*extra_folders, *ENV["GEM_PATH"].to_s.split(":"), File.join(Dir.pwd, "vendor", "gems"), home].uniq.select { |path| File.exist?(path) }
    def extra_folders = @extra_folders ||= Gem::Native.folders
    def loaded_specs = @loaded_specs ||= {}
    def paths = self
    def use_paths(_home, *paths)
      @extra_folders = paths.flatten.compact
      @extra_folders.each { |path| Native.add(path) }
      refresh
    end
    def clear_paths = Specification.reset
    def refresh = Specification.reset
    def bindir(folder = home) = File.join(folder, "bin")
    def gem_path = path
    # Where a gem's folders go in `$LOAD_PATH`: after all others.
    def load_path_insert_index = $LOAD_PATH.size
    def default_specifications_dir = File.join(home, "specifications", "default")

    # Makes the gem that holds a feature visible to `require`; false where none does.
    def try_activate(feature)
      spec = Specification.find_by_path(feature)
      return spec.activate if spec
      _, error = Specification.refused.find { |name, _| [name, name.tr("-", "/")].any? { |each| feature == each || feature.start_with?("#{each}/") } }
      raise LoadError, error.message if error
      false
    end
    def install(*) = raise(InstallError, "gems are not installed from here: put the .gem file into vendor/gems")
  end

  class Dependency
    def matching_specs(*) = Specification.find_all_by_name(name, requirement)
    def to_specs = matching_specs
    def to_spec = matching_specs.first || raise(Specification.missing(name, requirement))
  end
end

module Kernel
  def gem(name, *requirements)
    name, requirements = name.name, [name.requirement] if name.is_a?(Gem::Dependency)
    loaded = Gem.loaded_specs[name]
    wanted = Gem::Requirement.create(*requirements)
    if loaded
      return false if wanted.satisfied_by?(loaded.version)
      other = Gem::Specification.find_by_name(name, wanted)
      raise Gem::LoadError, "can't activate #{other.full_name}, already activated #{loaded.full_name}"
    end
    Gem::Specification.find_by_name(name, wanted).activate
  end
  private :gem
end
