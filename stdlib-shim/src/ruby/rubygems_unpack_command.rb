# `gem unpack`: the files of a gem, or its metadata, in the current folder.
require "rubygems/command"
require "rubygems/install_update_options"
require "rubygems/package"
require "rubygems/version_option"
require "fileutils"

module Gem
  module Commands
    class UnpackCommand < Command
      include VersionOption
      include SecurityOption

      def initialize
        super("unpack", "Unpack an installed gem to the current directory", version: Requirement.default, target: Dir.pwd)
        add_option("--target=DIR", "target directory for unpacking") { |value, options| options[:target] = value }
        add_option("--spec", "unpack the gem specification") { |_, options| options[:spec] = true }
        add_security_option
        add_version_option
      end

      def arguments = "GEMNAME       name of gem to unpack"
      def defaults_str = "--version '#{Requirement.default}'"
      def usage = "#{program_name} GEMNAME"
      def description
        <<~TEXT
          Writes the files of an installed gem, or of a .gem file, into a folder of
          its name below the current one. With --spec only the metadata are written.
        TEXT
      end

      def execute
        get_all_gem_names.each do |name|
          path = get_path(Dependency.new(name, options[:version]))
          next alert_error("Gem '#{name}' not installed nor fetchable.") unless path
          options[:spec] ? write_spec(path) : write_files(path)
        end
      end

      # The file of the newest installed version that fits.
      def get_path(dependency)
        return dependency.name if dependency.name.match?(/\.gem\z/i)
        spec = dependency.matching_specs.max_by(&:version)
        find_in_cache(spec.file_name) if spec
      end
      def find_in_cache(filename) = Gem.path.map { |folder| File.join(folder, "cache", filename) }.find { |path| File.exist?(path) }

      private

      def write_spec(path)
        spec, metadata = Package.raw_spec(path, options[:security_policy])
        FileUtils.mkdir_p(options[:target])
        File.write(File.join(options[:target], File.basename(spec.spec_name)), metadata)
      end
      def write_files(path)
        folder = File.expand_path(File.basename(path, ".gem"), options[:target])
        Package.new(path, options[:security_policy]).extract_files(folder)
        say("Unpacked gem: '#{folder}'")
      end
    end
  end
end
