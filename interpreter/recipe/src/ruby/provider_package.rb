class Chef
  class Provider
    # The base of package providers written in Ruby: the actions decide what is to be done, and methods of the subclass load the current state and do it.
    class Package
      attr_accessor :candidate_version

      def load_current_resource; end
      def options = new_resource.options
      def allow_downgrade = new_resource.respond_to?(:allow_downgrade) ? new_resource.allow_downgrade : true
      def as_array(thing) = [thing].flatten
      def expand_options(options) = options ? " #{options.is_a?(Array) ? Shellwords.join(options) : options}" : ""

      def check_resource_semantics!
        return unless new_resource.package_name.is_a?(Array) && !new_resource.source.nil?

        raise Chef::Exceptions::InvalidResourceSpecification, "You may not specify both multipackage and source"
      end

      def define_resource_requirements
        requirements.assert(:install) { |a| require_candidates(a, :forced_packages_missing_candidates, "No version specified, and no candidate version") }
        requirements.assert(:upgrade, :install) { |a| require_candidates(a, :packages_missing_candidates, "No candidate version", source: true) }
      end

      def action_install
        compile_and_converge_action do
          if target_version_array.any?
            prepare_for_installation
            converge_targets(install_description, "installed %s at %s") { |name, version| install_package(name, version) }
          else
            logger.debug("#{new_resource} is already installed - nothing to do")
          end
        end
      end

      def action_upgrade
        compile_and_converge_action do
          if target_version_array.any?
            converge_targets(upgrade_description, "upgraded#{downgrade_mark} %s to %s") { |name, version| upgrade_package(name, version) }
          else
            logger.debug("#{new_resource} no versions to upgrade - nothing to do")
          end
        end
      end

      def action_remove
        compile_and_converge_action do
          if removing_package?
            converge_current("remove", "removed") { |name, version| remove_package(name, version) }
          else
            logger.debug("#{new_resource} package does not exist - nothing to do")
          end
        end
      end

      def action_purge
        compile_and_converge_action do
          converge_current("purge", "purged") { |name, version| purge_package(name, version) } if removing_package?
        end
      end

      def action_lock
        compile_and_converge_action do
          if locked?(:packages_all_locked?) { |locked| locked }
            logger.debug("#{new_resource} is already locked")
          else
            converge_current("lock", "locked") { |name, version| lock_package(name, version) }
          end
        end
      end

      def action_unlock
        compile_and_converge_action do
          if locked?(:packages_all_unlocked?) { |locked| !locked }
            logger.debug("#{new_resource} is already unlocked")
          else
            converge_current("unlock", "unlocked") { |name, version| unlock_package(name, version) }
          end
        end
      end

      # What subclasses define.
      def prepare_for_installation; end
      def install_package(_name, _version) = unsupported("support :install")
      def upgrade_package(_name, _version) = unsupported("support :upgrade")
      def remove_package(_name, _version) = unsupported("support :remove")
      def purge_package(_name, _version) = unsupported("support :purge")
      def lock_package(_name, _version) = unsupported("support :lock")
      def unlock_package(_name, _version) = unsupported("support :unlock")
      def reconfig_package(_name) = unsupported("support :reconfig")
      def preseed_package(_file) = unsupported("support pre-seeding package install/upgrade instructions")
      def package_locked(_name, _version) = raise(Chef::Exceptions::UnsupportedAction, "#{self} has no way to detect if package is locked")

      def multipackage_api_adapter(name, version)
        use_multipackage_api? ? yield(as_array(name), as_array(version)) : yield(name, version)
      end

      def removing_package? = current_version_array.any? && (new_version_array.none? || have_any_matching_version?)
      def have_any_matching_version? = new_version_array.zip(current_version_array).any? { |wanted, current| wanted == current }

      def version_equals?(left, right) = left && right ? left == right : false
      def target_version_already_installed?(current, target) = version_equals?(current, target)
      def version_requirement_satisfied?(current, wanted) = target_version_already_installed?(current, wanted)

      # -1, 0 or 1 in the order of Gem::Version; subclasses know the order of their versions.
      def version_compare(left, right)
        left, right = [left, right].map { |version| Gem::Version.new(version[/\A\s*(#{Gem::Version::VERSION_PATTERN})/o, 1] || version) }
        left <=> right
      end

      private

      def unsupported(what) = raise(Chef::Exceptions::UnsupportedAction, "#{self} does not #{what}")
      def downgrade_mark = allow_downgrade ? "(allow_downgrade)" : ""

      def require_candidates(assertion, missing, problem, source: false)
        assertion.assertion { send(missing).empty? || source && new_resource.source }
        assertion.failure_message(Chef::Exceptions::Package, "#{problem} available for #{send(missing).join(", ")}")
        assertion.whyrun("Assuming a repository that offers #{send(missing).join(", ")} would have been configured")
      end

      def converge_targets(description, done)
        converge_by(description) do
          names, versions = package_names_for_targets, versions_for_targets
          multipackage_api_adapter(names, versions) { |name, version| yield name, version }
          logger.info("#{new_resource} #{format(done, names, versions)}")
        end
      end

      def converge_current(verb, done)
        version = new_resource.version ? "version #{new_resource.version} of " : ""
        converge_by("#{verb} #{version}package #{current_resource.package_name}") do
          multipackage_api_adapter(current_resource.package_name, new_resource.version) { |name, wanted| yield name, wanted }
          logger.info("#{new_resource} #{done}")
        end
      end

      # The answer of the subclass for all packages if it has one, else what the block makes of `package_locked`.
      def locked?(all)
        return send(all, Array(new_resource.package_name), Array(new_resource.version)) if respond_to?(all, true)

        yield package_locked(new_resource.package_name, new_resource.version)
      end

      def install_description
        described_targets { |name, version, _| "install version #{version} of package #{name}" }
      end

      def upgrade_description
        described_targets { |name, _, at| "upgrade#{downgrade_mark} package #{name} from #{current_version_array[at] || "uninstalled"} to #{candidate_version_array[at]}" }
      end

      def described_targets
        target_version_array.each_with_index.filter_map { |version, at| yield(package_name_array[at], version, at) unless version.nil? }
      end

      def package_names_for_targets = for_targets { |_, at| package_name_array[at] }
      def versions_for_targets = for_targets { |version, _| version }

      # Names or versions of the packages that change: one for a package that is not in a list.
      def for_targets
        found = target_version_array.each_with_index.map { |version, at| version.nil? ? nil : yield(version, at) }
        found.compact! unless allow_nils?
        multipackage? ? found : found[0]
      end

      # The version to which each package is to be changed; nil for one that stays.
      def target_version_array
        @target_version_array ||= [].tap do |targets|
          each_package { |name, wanted, current, candidate, magic| targets << target_version(name, wanted, current, candidate, magic) }
        end
      end

      def target_version(name, wanted, current, candidate, magic)
        case action
        when :install then install_target(name, wanted, current, candidate, magic)
        when :upgrade then upgrade_target(wanted, current, candidate, magic)
        else raise "the action #{action} of a package has no target version"
        end
      end

      def install_target(name, wanted, current, candidate, magic)
        if current && wanted && !allow_downgrade && version_compare(current, wanted) == 1
          logger.warn("#{new_resource} #{name} has installed version #{current}, which is newer than available version #{wanted}. Skipping...)")
          nil
        elsif wanted && !use_magic_version?
          wanted unless version_requirement_satisfied?(current, wanted)
        elsif magic.nil?
          candidate
        end
      end

      # The candidate is asked for last, since a subclass may have to look far for it.
      def upgrade_target(wanted, current, candidate, magic)
        return if version_equals?(current, wanted)
        return candidate if current.nil?
        return if !allow_downgrade && version_compare(current, candidate) == 1
        return candidate if magic.nil?

        candidate unless candidate.nil? || version_equals?(current, candidate)
      end

      # Packages that are not installed and cannot be.
      def packages_missing_candidates
        @packages_missing_candidates ||= packages_where { |_, _, candidate, magic| magic.nil? && candidate.nil? }
      end

      # Packages that are installed in another version than the wanted one, which is not there.
      def forced_packages_missing_candidates
        @forced_packages_missing_candidates ||= packages_where do |wanted, current, candidate, magic|
          next if wanted.nil? || current.nil?

          fits = use_magic_version? ? magic : version_requirement_satisfied?(current, wanted)
          !fits && candidate.nil?
        end
      end

      def packages_where
        [].tap { |found| each_package { |name, *versions| found << name if yield(*versions) } }
      end

      # Yields name, wanted version, current version, candidate, and the current version if it fits the wanted one.
      def each_package
        package_name_array.each_with_index do |name, at|
          candidate = candidate_version_array[at]
          current = current_version_array[at]
          yield name, new_version_array[at], current, candidate, use_magic_version? ? magic_version_array[at] : current
        end
      end

      def multipackage? = new_resource.package_name.is_a?(Array)
      def package_name_array = @package_name_array ||= as_array(new_resource.package_name)
      def candidate_version_array = Chef::Decorator::LazyArray.new { as_array(candidate_version) }
      def current_version_array = @current_version_array ||= as_array(current_resource.version)
      def new_version_array = @new_version_array ||= as_array(new_resource.version).map { |version| version unless version.to_s.empty? }
      def source_array = @source_array ||= new_resource.source.nil? ? package_name_array.map { nil } : as_array(new_resource.source)

      # The sources, with the names of packages that are files.
      def resolved_source_array
        @resolved_source_array ||= source_array.zip(package_name_array).map do |source, name|
          source.nil? && use_package_name_for_source? && name.include?(::File::SEPARATOR) && ::File.exist?(name) ? name : source
        end
      end
    end
  end
end
