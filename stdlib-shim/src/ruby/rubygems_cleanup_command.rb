# `gem cleanup`: removes versions that are not the newest and that no gem needs.
require "rubygems/command"
require "rubygems/dependency_list"
require "rubygems/uninstaller"

module Gem
  module Commands
    class CleanupCommand < Command
      def initialize
        super("cleanup", "Clean up old versions of installed gems", force: false, install_dir: Gem.dir, check_dev: true)
        add_option("-n", "-d", "--dry-run", "Do not uninstall gems") { |_, options| options[:dryrun] = true }
        add_option(:Deprecated, "--dryrun", "Do not uninstall gems") { |_, options| options[:dryrun] = true }
        deprecate_option("--dryrun", extra_msg: "Use --dry-run instead")
        add_option("-D", "--[no-]check-development", "Check development dependencies while uninstalling", "(default: true)") { |value, options| options[:check_dev] = value }
        add_option("--[no-]user-install", "Cleanup in user's home directory instead", "of GEM_HOME.") { |value, options| options[:user_install] = value }
        @default_gems = []
      end

      def arguments = "GEMNAME       name of gem to cleanup"
      def defaults_str = "--no-dry-run"
      def usage = "#{program_name} [GEMNAME ...]"
      def description
        <<~TEXT
          Removes old versions of gems from GEM_HOME that no other gem needs: of the
          gems that are named, or of all.
        TEXT
      end

      # What was needed by a version that is gone may be removed in the next round.
      def execute
        say("Cleaning up installed gems...")
        before = nil
        loop do
          old = clean_gems
          break if old.empty? || old == before || options[:args].any?
          before = old
        end
        say("Clean up complete")
        verbose { "Skipped default gems: #{@default_gems.map(&:full_name).join(", ")}" }
      end

      private

      def clean_gems
        old = old_gems
        everything = DependencyList.from_specs
        list = DependencyList.new
        list.add(*old)
        list.strongly_connected_components.flatten.reverse_each { |spec| uninstall(spec) if everything.ok_to_remove?(spec.full_name, options[:check_dev]) }
        Specification.reset
        old.map(&:full_name).sort
      end

      def old_gems
        newest = Specification.group_by(&:name).transform_values { |specs| specs.map(&:version).max }
        candidates = options[:args].empty? ? Specification.to_a : options[:args].flat_map { |name| Specification.find_all_by_name(name) }
        defaults, others = candidates.select { |spec| newest[spec.name] != spec.version }.partition(&:default_gem?)
        @default_gems |= defaults
        others.select { |spec| !spec.stand_in? && spec.base_dir == (options[:user_install] ? Gem.user_dir : Gem.dir) }.uniq
      end

      def uninstall(spec)
        return say("Dry Run Mode: Would uninstall #{spec.full_name}") if options[:dryrun]
        say("Attempting to uninstall #{spec.full_name}")
        Uninstaller.new(spec.name, executables: false, version: "= #{spec.version}", user_install: Gem.user_dir == spec.base_dir).uninstall
      rescue DependencyRemovalException, InstallError, GemNotInHomeException, FilePermissionError => error
        say("Unable to uninstall #{spec.full_name}:")
        say("\t#{error.class}: #{error.message}")
      end
    end
  end
end
