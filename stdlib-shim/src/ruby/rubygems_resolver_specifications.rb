# The kinds of gems that sets find: by a name in an index, in a lock file, as a file, in a folder, installed.
require "rubygems/resolver"

module Gem
  class Resolver
    class Specification
      attr_reader :dependencies, :name, :platform, :set, :source, :spec, :version, :required_ruby_version, :required_rubygems_version

      def initialize
        @dependencies = @name = @platform = @set = @source = @spec = @version = nil
        @required_ruby_version = @required_rubygems_version = Requirement.default
      end

      # Only a server's short list leaves these out.
      def fetch_development_dependencies = nil
      def full_name = "#{name}-#{version}"
      def local? = false
      def installable_platform? = Platform.match_spec?(spec)
      def download(options)
        folder = options[:install_dir] || Gem.dir
        Gem.ensure_gem_subdirectories(folder)
        source.download(spec, folder)
      end

      # The block gets the installer before it works.
      def install(options = {})
        require "rubygems/installer"
        installer = Installer.at(download(options), options)
        yield installer if block_given?
        @spec = installer.install
      end

      def pretty_print(printer) = print_lines(printer, self.class.name[/[^:]+\z/], *lines)

      private

      # What `pp` shows of it: texts, and objects.
      def lines = ["name: #{name}", "version: #{version}", "platform: #{platform}", "dependencies:", dependencies]
      def print_lines(printer, title, *parts)
        printer.group(2, "[#{title}", "]") do
          parts.each do |part|
            printer.breakable
            part.is_a?(String) ? printer.text(part) : printer.pp(part)
          end
        end
      end
    end

    # A gem of which the whole specification is known.
    class SpecSpecification < Specification
      def initialize(set, spec, source = nil)
        super()
        @set, @spec, @source = set, spec, source
      end

      %i[dependencies name platform version required_ruby_version required_rubygems_version].each { |field| define_method(field) { spec.public_send(field) } }
      def full_name = "#{spec.name}-#{spec.version}"
    end

    class InstalledSpecification < SpecSpecification
      def ==(other) = self.class === other && @set == other.set && @spec == other.spec
      def install(_options = {}) = yield(nil)
      def installable_platform? = @source.is_a?(Source::SpecificFile) || super
      def source = @source ||= Source::Installed.new
    end

    class LocalSpecification < SpecSpecification
      def local? = true
      def installable_platform? = @source.is_a?(Source::SpecificFile) || super

      private

      def lines = [*super, "source: #{@source.path}"]
    end

    # An unpacked gem, which is used where it lies.
    class VendorSpecification < SpecSpecification
      def ==(other) = self.class === other && @set == other.set && @spec == other.spec && @source == other.source
      def install(_options = {}) = yield(nil)
    end

    # A name of an index; the rest is fetched when it is asked for.
    class IndexSpecification < Specification
      def initialize(set, name, version, source, platform)
        super()
        @set, @name, @version, @source, @platform = set, name, version, source, platform.to_s
      end

      def spec = @spec ||= @source.fetch_spec(NameTuple.new(@name, @version, @platform))
      def dependencies = spec.dependencies
      def required_ruby_version = spec.required_ruby_version || Requirement.default
      def required_rubygems_version = spec.required_rubygems_version || Requirement.default
      def ==(other) = self.class === other && [@name, @version, @platform] == [other.name, other.version, other.platform]
      alias eql? ==
      def hash = @name.hash ^ @version.hash ^ @platform.hash
      def inspect = "#<#{self.class} #{full_name} source #{@source}>"
      def pretty_print(printer) = print_lines(printer, "Index specification", full_name, *(@platform unless @platform == Platform::RUBY), "source ", @source)
    end

    # What a lock file says of a gem.
    class LockSpecification < Specification
      attr_reader :sources

      def initialize(set, name, version, sources, platform)
        super()
        @set, @name, @version, @sources, @platform = set, name, version, sources, platform
        @source = sources.first
        @dependencies = []
      end

      def add_dependency(dependency) = @dependencies << dependency
      def install(options = {}, &)
        return yield(nil) if File.exist?(File.join(options[:install_dir] || Gem.dir, "specifications", spec.spec_name))
        super
      end
      def spec
        @spec ||= Gem::Specification.find { |spec| spec.name == @name && spec.version == @version } || Gem::Specification.new(@name, @version) do |made|
          made.platform = @platform
          made.dependencies.concat(@dependencies)
        end
      end

      private

      def lines
        ["name: #{@name}", "version: #{@version}", *("platform: #{@platform}" unless @platform == Platform::RUBY), *(["dependencies:", @dependencies] unless @dependencies.empty?)]
      end
    end
  end
end
