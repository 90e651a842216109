# `gem which`: where a file lies that can be required.
require "rubygems/command"

module Gem
  module Commands
    class WhichCommand < Command
      def initialize
        super("which", "Find the location of a library file you can require", search_gems_first: false, show_all: false)
        add_option("-a", "--[no-]all", "show all matching files") { |value, options| options[:show_all] = value }
        add_option("-g", "--[no-]gems-first", "search gems before non-gems") { |value, options| options[:search_gems_first] = value }
      end

      def arguments = "FILE          name of file to find"
      def defaults_str = "--no-gems-first --no-all"
      def usage = "#{program_name} FILE [FILE ...]"
      def description
        <<~TEXT
          Shows the file that `require` would load: of the load path, or of a gem.
        TEXT
      end

      def execute
        missing = options[:args].map { |word| word.delete_suffix(".rb").delete_suffix(".so") }.reject { |name| show(name) }
        terminate_interaction(1) unless missing.empty?
      end

      def find_paths(package_name, dirs)
        found = dirs.product(Gem.suffixes).map { |dir, suffix| File.join(dir, "#{package_name}#{suffix}") }.select { |path| File.file?(path) }
        options[:show_all] ? found : found.first(1)
      end

      private

      def show(name)
        inside = Specification.find_by_path(name)&.full_require_paths || []
        paths = find_paths(name, options[:search_gems_first] ? inside + $LOAD_PATH : $LOAD_PATH + inside)
        paths.empty? ? alert_error("Can't find Ruby library file or shared library #{name}") : say(paths)
        !paths.empty?
      end
    end
  end
end
