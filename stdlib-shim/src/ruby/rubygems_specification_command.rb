# `gem specification`: what a gem says of itself, all of it or a field.
require "rubygems/command"
require "rubygems/local_remote_options"
require "rubygems/package"
require "rubygems/spec_fetcher"
require "rubygems/version_option"

module Gem
  module Commands
    class SpecificationCommand < Command
      include LocalRemoteOptions
      include VersionOption

      def initialize
        super("specification", "Display gem specification (in yaml)", domain: :local, version: Requirement.default, format: :yaml)
        add_version_option("examine")
        add_platform_option
        add_prerelease_option
        add_option("--all", "Output specifications for all versions of", "the gem") { |_, options| options[:all] = true }
        { ruby: "ruby", yaml: "YAML", marshal: "Marshal" }.each { |name, word| add_option("--#{name}", "Output #{word} format") { |_, options| options[:format] = name } }
        add_local_remote_options
      end

      def arguments = "GEMFILE       name of gem to show the gemspec for\nFIELD         name of gemspec field to show\n"
      def defaults_str = "--local --version '#{Requirement.default}' --yaml"
      def usage = "#{program_name} [GEMFILE] [FIELD]"
      def description
        <<~TEXT
          Shows the specification of a gem that is installed, of a .gem file or of a
          server's gem, as YAML, Ruby or Marshal; or only one field of it.
        TEXT
      end

      def execute
        name = options[:args].shift or raise CommandLineError, "Please specify a gem name or file on the command line"
        wanted = Requirement.create(options[:version])
        end_with_error("Specify --all or -v, not both") if options[:all] && !wanted.none?
        dependency = options[:all] ? Dependency.new(name) : Dependency.new(name, wanted)
        field = get_one_optional_argument
        raise CommandLineError, "--ruby and FIELD are mutually exclusive" if field && options[:format] == :ruby
        specs = find(name, dependency)
        end_with_error("No gem matching '#{dependency}' found") if specs.empty?
        platform = get_platform_from_requirements(options)
        specs = specs.select { |spec| spec.platform.to_s == platform } if platform
        specs = [specs.max_by(&:version)] unless options[:all]
        specs.each { |spec| show(field ? spec.public_send(field) : spec) }
      end

      private

      def find(name, dependency)
        found = []
        if local?
          found << file(name) if File.exist?(name)
          found = dependency.matching_specs if found.compact.empty?
        end
        return found.compact unless remote?
        dependency.prerelease = options[:prerelease]
        tuples = SpecFetcher.fetcher.detect(options[:prerelease] ? :complete : :released) { |tuple| dependency.match?(tuple) }
        found + tuples.map { |tuple, source| source.fetch_spec(tuple) }
      end

      def file(name)
        Package.new(name).spec
      rescue StandardError
        nil
      end

      def show(object)
        require "yaml"
        say({ ruby: :to_ruby, yaml: :to_yaml }[options[:format]]&.then { |form| object.public_send(form) } || Marshal.dump(object))
        say("\n")
      end
    end
  end
end
