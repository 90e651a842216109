# `gem contents`: the files of installed gems.
require "rubygems/command"
require "rubygems/version_option"

module Gem
  module Commands
    class ContentsCommand < Command
      include VersionOption

      def initialize
        super("contents", "Display the contents of the installed gems", specdirs: [], lib_only: false, prefix: true, show_install_dir: false)
        add_version_option
        { all: ["--all", "Contents for all gems"], specdirs: ["-s", "--spec-dir a,b,c", Array, "Search for gems under specific paths"],
          lib_only: ["-l", "--[no-]lib-only", "Only return files in the Gem's lib_dirs"], prefix: ["--[no-]prefix", "Don't include installed path prefix"],
          show_install_dir: ["--[no-]show-install-dir", "Show only the gem install dir"] }.each { |name, words| add_option(*words) { |value, options| options[name] = value } }
      end

      def arguments = "GEMNAME       name of gem to list contents for"
      def defaults_str = "--no-lib-only --prefix"
      def usage = "#{program_name} GEMNAME [GEMNAME ...]"
      def description
        <<~TEXT
          Lists the files of installed gems: all of them, or with --lib-only those
          that can be required, with the folder of the gem before their names unless
          --no-prefix is given.
        TEXT
      end

      def execute
        names = options[:all] ? Specification.map(&:name) : get_all_gem_names
        names.each do |name|
          spec = spec_for(name)
          terminate_interaction(1) unless spec || names.size > 1
          show(spec) if spec
        end
      end

      def files_in(spec)
        folder = spec.full_gem_path
        return spec.files.map { |file| [RbConfig::CONFIG["rubylibdir"], file] } if spec.default_gem?
        Dir["#{folder}#{"/{#{spec.require_paths.join(",")}}" if options[:lib_only]}/**/*"].map { |path| [folder, path.delete_prefix("#{folder}/")] }
      end

      private

      def show(spec)
        return say(spec.gem_dir) if options[:show_install_dir]
        files_in(spec).sort.each do |folder, file|
          path = File.join(folder, file)
          say(options[:prefix] ? path : file) unless File.directory?(path)
        end
      end

      def spec_for(name)
        spec = Specification.find_all_by_name(name, options[:version] || Requirement.default).first and return spec
        folders = options[:specdirs].flat_map { |folder| [folder, File.join(folder, "specifications")] }
        say("Unable to find gem '#{name}' in #{folders.empty? ? "default gem paths" : "specified path"}")
        return unless Gem.configuration.verbose
        say("\nDirectories searched:")
        folders.sort.each { |folder| say(folder) }
        nil
      end
    end
  end
end
