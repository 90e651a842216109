# The short form of a specification: what the comment at the head of an installed gemspec says, so that the rest need not run.
require "rubygems/basic_specification"

module Gem
  class StubSpecification < BasicSpecification
    PREFIX = "# stub: "
    # The comment's line, taken apart.
    class StubLine
      attr_reader :name, :version, :platform, :require_paths, :extensions, :full_name

      def initialize(line, extensions)
        @name, version, platform, paths = line.delete_prefix(PREFIX).split(" ", 4)
        @version = Version.new(Version.correct?(version) ? version : 0)
        @platform = Platform.new(platform)
        @extensions = extensions
        @full_name = "#{@name}-#{@version}#{"-#{@platform}" unless @platform == Platform::RUBY}"
        @require_paths = paths.split("\0")
      end
    end

    class << self
      def default_gemspec_stub(filename, base_dir, gems_dir) = new(filename, base_dir, gems_dir, true)
      def gemspec_stub(filename, base_dir, gems_dir) = new(filename, base_dir, gems_dir, false)
    end

    attr_reader :base_dir, :gems_dir

    def initialize(filename, base_dir, gems_dir, default_gem)
      @loaded_from, @base_dir, @gems_dir, @default_gem = filename, base_dir, gems_dir, default_gem
    end

    def default_gem? = @default_gem
    def activated? = Gem.loaded_specs[name]&.version == version
    def stubbed? = data.is_a?(StubLine)
    def valid? = data
    %i[name version platform extensions full_name].each { |field| define_method(field) { data.public_send(field) } }
    def raw_require_paths = data.require_paths
    alias require_paths raw_require_paths
    def missing_extensions? = !default_gem? && !extensions.empty? && to_spec.missing_extensions?
    def build_extensions = default_gem? || extensions.empty? ? nil : to_spec.build_extensions
    def contains_requirable_file?(feature) = to_spec.contains_requirable_file?(feature)
    def to_spec
      loaded = Gem.loaded_specs[name] if @data
      @spec ||= loaded && loaded.version == version ? loaded : Specification.load(loaded_from)
    end
    alias spec to_spec

    private

    # A file without the comment is run.
    def data
      @data ||= begin
        _, line, more = File.foreach(loaded_from, chomp: true, encoding: "UTF-8").first(3)
        line.to_s.start_with?(PREFIX) ? StubLine.new(line, more.to_s.start_with?(PREFIX) ? more.delete_prefix(PREFIX).split("\0") : []) : to_spec
      end
    end
  end
end
