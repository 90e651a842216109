# `gem build`: a `.gem` file from a gemspec.
require "rubygems/command"
require "rubygems/package"
require "rubygems/version_option"

module Gem
  module Commands
    class BuildCommand < Command
      include VersionOption

      def initialize
        super("build", "Build a gem from a gemspec")
        add_platform_option
        add_option("--force", "skip validation of the spec") { |_, options| options[:force] = true }
        add_option("--strict", "consider warnings as errors when validating the spec") { |_, options| options[:strict] = true }
        add_option("-o", "--output FILE", "output gem with the given filename") { |value, options| options[:output] = value }
        add_option("-C PATH", "Run as if gem build was started in <PATH> instead of the current working directory.") { |value, options| options[:build_path] = value }
      end

      def arguments = "GEMSPEC_FILE  gemspec file name to build a gem for"
      def usage = "#{program_name} GEMSPEC_FILE"
      def description
        <<~TEXT
          Writes the .gem file that a gemspec describes, with the files that it
          lists, to the current folder, or to the file that --output names.
        TEXT
      end

      def execute
        return build_gem unless options[:build_path]
        Dir.chdir(options[:build_path]) { build_gem }
        nil
      end

      private

      def build_gem
        name = get_one_optional_argument
        path = gemspec_for(name) or stop(name ? "Couldn't find a gemspec file matching '#{name}' in #{Dir.pwd}" : "Couldn't find a gemspec file in #{Dir.pwd}")
        spec = Specification.load(path) or stop("Error loading gemspec. Aborting.")
        Package.build(spec, options[:force], options[:strict], options[:output])
      end

      # The file itself, else one of the gem's name; without a name the only one of the directory.
      def gemspec_for(name)
        return only("*.gemspec") unless name
        return name if File.exist?(name)
        only("#{name}.gemspec") || only(name)
      end

      def only(pattern)
        found = Dir.glob(pattern).sort
        stop("Multiple gemspecs found: #{found}, please specify one") if found.size > 1
        found.first
      end

      def stop(text)
        alert_error(text)
        terminate_interaction(1)
      end
    end
  end
end
