# What of a lock still holds for its Gemfile.
module Bundler
  class Definition
    module Changes
      def nothing_changed? = change_reasons.empty?

      # In frozen mode a Gemfile may not say something else than its lock.
      def ensure_equivalent_gemfile_and_lockfile(explicit_flag = false)
        added = (platforms - @locked_platforms).map { |each| "* platform: #{each}" } + (dependencies - locked_dependencies).map { |each| "* #{SharedHelpers.pretty_dependency(each)}" }
        deleted = (@locked_platforms - platforms).map { |each| "* platform: #{each}" } + (locked_dependencies - dependencies).map { |each| "* #{SharedHelpers.pretty_dependency(each)}" }
        changed = changed_sources
        return if [added, deleted, changed].all?(&:empty?) && nothing_changed?
        text = "You are trying to install in deployment mode after changing\nyour Gemfile. Run `bundle install` elsewhere and add the\n" \
               "updated #{Bundler.default_lockfile.relative_path_from(SharedHelpers.pwd)} to version control.#{unset_hint unless explicit_flag}"
        text << "\n\n#{change_reasons.map(&:capitalize).join("\n")}" unless nothing_changed?
        { "added to" => added, "deleted from" => deleted, "changed in" => changed }.each { |what, list| text << "\n\nYou have #{what} the Gemfile:\n#{list.join("\n")}" if list.any? }
        raise ProductionError, "#{text}\n"
      end

      private

      def read_lock
        @locked_gems, @platforms, @locked_deps, @locked_specs, @locked_sources, @lockfile_contents = nil, [], {}, SpecSet.new([]), [], ""
        return unless lockfile && File.exist?(lockfile)
        @lockfile_contents = Bundler.read_file(lockfile)
        @locked_gems = LockfileParser.new(@lockfile_contents)
        @platforms = @locked_gems.platforms.dup
        @locked_ruby_version, @locked_bundler_version = @locked_gems.ruby_version, @locked_gems.bundler_version
        return if @unlock_all
        @locked_deps, @locked_sources, @locked_specs = @locked_gems.dependencies, @locked_gems.sources.dup, SpecSet.new(@locked_gems.specs)
      end

      def compare_with_lock
        override_git_sources
        use_gemspec_sources
        @source_changes = sources.replace_sources!(@locked_sources)
        dependencies.each { |each| each.source = sources.get(each.source) if each.source }
        @dependency_changes = dependencies.any? { |each| each.requirement != locked_deps[each.name]&.requirement }
        # A lock has no types.
        dependencies.each { |each| locked_deps[each.name]&.instance_variable_set(:@type, each.type) }
        @path_changes = sources.path_sources.any? { |source| path_changed?(source) }
        @unlocking ||= ruby_changed?
      end

      def change_reasons
        {
          "the list of sources changed" => @source_changes, "the dependencies in your gemfile changed" => @dependency_changes,
          "you added a new platform to your gemfile" => platforms != @locked_platforms, "the gemspecs for path gems changed" => @path_changes,
          "the lockfile does not have all gems needed for the current platform" => !@locked_specs.for(requested_dependencies.select { |each| locked_deps.key?(each.name) }, true)
        }.select { |_, changed| changed }.keys
      end

      def ruby_changed?
        return true if @locked_ruby_version.nil? ^ ruby_version.nil?
        !ruby_version.nil? && !ruby_version.diff(locked_ruby_version_object).nil?
      end

      # `bundle config local.NAME FOLDER`.
      def override_git_sources
        Bundler.settings.local_overrides.each do |name, folder|
          source = dependencies.find { |each| each.name == name }&.source
          source.local_override!(folder) if source.respond_to?(:local_override!)
        end
      end

      # A lock does not tell the gem of the Gemfile itself from others in folders.
      def use_gemspec_sources
        own = sources.path_sources.grep(Source::Gemspec)
        better = ->(source) { source.instance_of?(Source::Path) && own.find { |each| each.as_path_source == source } || source }
        @locked_sources.map!(&better)
        [*@locked_specs, *locked_deps.values].each { |each| each.source = better.call(each.source) if each.source }
      end

      def path_changed?(source)
        return true unless @locked_sources.include?(source)
        names = ->(list) { list.select { |each| each.source == source }.map { |each| [each.name, each.requirement.to_s] }.sort.uniq }
        return true if names.call(dependencies) != names.call(locked_dependencies)
        needs = ->(spec) { spec.dependencies.select(&:runtime?).map { |each| [each.name, each.requirement.as_list.sort] }.sort }
        @locked_specs.select { |spec| spec.source == source }.any? { |spec| source.specs.search(spec).none? { |each| needs.call(each) == needs.call(spec) } }
      rescue PathError, GitError
        false
      end

      # Those of the locked gems that may stay: what only changed dependencies bring in may not.
      def still_locked
        kept = dependencies.select { |each| @locked_specs[each].any? { |spec| spec.satisfies?(each) } && !Array(@unlock[:gems]).include?(each.name) }
        SpecSet.new(@locked_specs.for(kept).reject { |spec| spec.source.is_a?(Source::Path) })
      end

      def changed_sources
        dependencies.filter_map do |each|
          locked = locked_deps[each.name] or next
          before, now = [locked, each].map { |one| one.source || sources.default_source }
          next if before.include?(now)
          named = ->(one, source) { one.source ? source.identifier : "no specified source" }
          "* #{each.name} from `#{named.call(locked, before)}` to `#{named.call(each, now)}`"
        end
      end

      def unset_hint
        command = %w[frozen deployment].find { |name| Bundler.settings.locations(name).keys.intersect?(%i[global local]) }
        "\n\nIf this is a development machine, remove the #{Bundler.default_gemfile} freeze \nby running `#{command && "bundle config unset #{command}"}`."
      end

      # Versions of Ruby and Bundler alone are no reason to write a lock again.
      def same_lock?(before, now)
        return before == now if unlocking?
        sections = [*LockfileParser.sections_to_ignore(@locked_bundler_version), *LockfileParser.unknown_sections_in_lockfile(before), *LockfileParser::ENVIRONMENT_VERSION_SECTIONS]
        before, now = [before, now].map { |text| text.delete("\r").gsub(/^(?:#{Regexp.union(sections)})\n(?:\s{2,}.*\n)+/, "\n").gsub(/\n{2,}/, "\n\n").strip }
        before == now
      end
    end
  end
end
