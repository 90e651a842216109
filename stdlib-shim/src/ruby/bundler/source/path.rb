# Gems in folders of their own, by the gemspecs there.
require "bundler/source"

module Bundler
  class Source
    class Path < Source
      DEFAULT_GLOB = "{,*,*/*}.gemspec".freeze
      attr_reader :path, :options, :root_path
      attr_writer :name
      attr_accessor :version

      def self.from_lock(options) = new(options.reject { |key, _| key == "remote" }.merge("path" => options["remote"]))

      def initialize(options)
        @options = options.dup
        @glob = options["glob"] || DEFAULT_GLOB
        @root_path = options["root_path"] || root
        @name, @version = options.values_at("name", "version")
        return unless options["path"]
        given = Pathname.new(options["path"])
        @path = given.relative? ? expand(given).relative_path_from(root_path.expand_path) : expand(given)
      end

      def root = Bundler.root
      def name = File.basename(expanded_path.to_s)
      def to_s = "source at `#{path}`"
      def hash = [self.class, expanded_path, version].hash
      def eql?(other) = other.class == self.class && expanded_path == other.expanded_path && version == other.version
      alias == eql?
      def to_lock = "PATH\n  remote: #{lockfile_path}\n#{glob_line}  specs:\n"
      def app_cache_dirname = name
      def expanded_original_path = expanded_path
      def expanded_path = @expanded_path ||= expand(path)
      def specs = @specs ||= load_spec_files
      alias local_specs specs

      private

      def expand(path) = path.expand_path(root_path)
      def glob_line = @glob == DEFAULT_GLOB ? "" : "  glob: #{@glob}\n"
      def lockfile_path
        return path.to_s.start_with?(root_path.to_s) ? path.relative_path_from(root_path) : path if path.absolute?
        expand(path).relative_path_from(root)
      end

      # Those nearest to the folder win.
      def load_spec_files
        raise PathError, "The path `#{expanded_path}` #{expanded_path.exist? ? "is not a directory" : "does not exist"}." unless expanded_path.directory?
        Index.build do |index|
          files = Dir.glob(@glob, base: expanded_path.to_s).sort_by { |file| -file.count("/") }
          files.each { |file| load_gemspec(expanded_path.join(file))&.then { |spec| index << spec } }
          index << made_up_spec if index.empty? && @name && @version
        end
      end

      def load_gemspec(file)
        spec = Bundler.load_gemspec(file) or return
        spec.source = self
        spec.full_gem_path = file.dirname.to_s
        Bundler.rubygems.validate(spec)
        spec
      end

      # For a folder without a gemspec, where the Gemfile says the version.
      def made_up_spec
        Gem::Specification.new(@name, @version) do |spec|
          spec.source = self
          spec.summary = "Fake gemspec for #{@name}"
          spec.authors = ["no one"]
          spec.loaded_from = expanded_path.join("#{@name}.gemspec").to_s
          spec.full_gem_path = expanded_path.to_s
          bin = expanded_path.join("bin")
          spec.executables = bin.children.select(&:file?).map { |each| each.basename.to_s } if bin.directory?
        end
      end
    end
  end
end
