# Where gems come from that no server has: files, folders, what is installed, and what a lock file pins.
require "rubygems/config_file"
require "rubygems/package"

module Gem
  class Source
    # The `.gem` files of the current folder.
    class Local < Source
      def initialize
        @uri = @specs = nil
        @names = {}
      end

      def <=>(other) = rank(other, [Installed, Lock], Local)
      def inspect = "#<#{self.class} specs: #{@specs ? @specs.keys.sort.inspect : '"NOT LOADED"'}>"
      def load_specs(type)
        @names[type] ||= begin
          @specs ||= Dir["*.gem"].filter_map { |file| package(file) }.to_h { |file, package| [package.spec.name_tuple, [File.expand_path(file), package]] }
          tuples = @specs.keys
          case type
          when :released then tuples.reject(&:prerelease?)
          when :prerelease then tuples.select(&:prerelease?)
          when :latest then tuples.group_by(&:name).map { |_, same| same.max_by(&:version) }
          else tuples
          end
        end
      end

      # The newest gem of a name that a requirement allows.
      def find_gem(gem_name, version = Requirement.default, prerelease = false)
        load_specs(:complete)
        specs = @specs.filter_map { |tuple, (_, package)| package.spec if tuple.name == gem_name }
        specs.select { |spec| version.satisfied_by?(spec.version) && (prerelease || !spec.version.prerelease? || version.prerelease?) }.max_by(&:version)
      end
      def fetch_spec(name)
        load_specs(:complete)
        @specs.fetch(name) { raise Exception, "Unable to find spec for #{name.inspect}" }.last.spec
      end
      def download(spec, _cache_dir = nil)
        load_specs(:complete)
        path, = @specs.each_value.find { |_, package| package.spec == spec }
        path or raise Exception, "Unable to find file for '#{spec.full_name}'"
      end
      def pretty_print(printer)
        printer.group(2, "[Local gems:", "]") do
          printer.breakable
          printer.seplist(@specs.keys) { |tuple| printer.text(tuple.full_name) }
        end
      end

      private

      # What cannot be read is passed over.
      def package(file)
        [file, Package.new(file).tap(&:spec)]
      rescue SystemCallError, Package::FormatError
        nil
      end
    end

    # One `.gem` file.
    class SpecificFile < Source
      attr_reader :path, :spec

      def initialize(file)
        @uri = nil
        @path = File.expand_path(file)
        @spec = Package.new(@path).spec
        @name = @spec.name_tuple
      end

      def <=>(other)
        return super unless other.is_a?(SpecificFile)
        @spec.version <=> other.spec.version if @spec.name == other.spec.name
      end
      def load_specs(*) = [@name]
      def fetch_spec(name) = name == @name ? @spec : raise(Exception, "Unable to find '#{name}'")
      def download(spec, _dir = nil) = spec == @spec ? @path : raise(Exception, "Unable to download '#{spec.full_name}'")
      def pretty_print(printer)
        printer.group(2, "[SpecificFile:", "]") do
          printer.breakable
          printer.text(@path)
        end
      end
    end

    # What is installed.
    class Installed < Source
      def initialize
        @uri = nil
      end

      def <=>(other) = rank(other, [Lock, Vendor], Installed)
      def download(_spec, _path) = nil
      def pretty_print(printer) = printer.text("[Installed]")
    end

    # A folder of an unpacked gem.
    class Vendor < Installed
      def initialize(path)
        @uri = path
      end

      def <=>(other) = rank(other, [Lock], Vendor)
    end

    # Another source, whose versions a lock file pins.
    class Lock < Source
      attr_reader :wrapped

      def initialize(source)
        @wrapped = source
      end

      def <=>(other)
        return @wrapped <=> other.wrapped if other.is_a?(Lock)
        1 if other.is_a?(Source)
      end
      def ==(other) = (self <=> other) == 0
      def hash = @wrapped.hash ^ 3
      def fetch_spec(tuple) = @wrapped.fetch_spec(tuple)
      def uri = @wrapped.uri
    end

    private

    # Whether a source goes before this one: `before` go before it, others after.
    def rank(other, before, same)
      return -1 if before.any? { |kind| other.is_a?(kind) }
      return 0 if other.is_a?(same)
      1 if other.is_a?(Source)
    end
  end
end
