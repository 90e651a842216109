# Removes installed gems: their files, programs and plug-ins, if no other gem needs them.
require "rubygems/installer_uninstaller_utils"
require "rubygems/dependency_list"
require "rubygems/exceptions"
require "rubygems/specification_policy"
require "rubygems/user_interaction"
require "fileutils"

module Gem
  class Uninstaller
    include UserInteraction
    include InstallerUninstallerUtils

    attr_reader :bin_dir, :gem_home, :spec

    def initialize(gem, options = {})
      @gem = gem
      @version = options[:version] || Requirement.default
      @gem_home = File.realpath(options[:install_dir] || Gem.dir)
      @plugins_dir = Gem.plugindir(@gem_home)
      @force_executables, @force_all, @force_ignore, @bin_dir, @format_executable, @abort_on_dependent, @check_dev =
        options.values_at(:executables, :all, :ignore, :bin_dir, :format_executable, :abort_on_dependent, :check_dev)
      @force_all = @force_ignore = true if options[:force]
      @user_install = options[:install_dir] ? false : options[:user_install]
      @kept_defaults = []
    end

    # Finds what is meant, and asks which versions if there are several.
    def uninstall
      found = matching
      raise InstallError, "gem #{@gem.inspect} is not installed" if found.empty?
      @kept_defaults, found = found.partition(&:default_gem?)
      @kept_defaults.reject { |spec| found.include?(spec) }.each { |spec| say("Gem #{spec.full_name} cannot be uninstalled because it is a default gem") }
      here, elsewhere = found.partition { |spec| @gem_home == spec.base_dir || (@user_install && spec.base_dir == Gem.user_dir) }
      return refuse(elsewhere) if here.empty?
      here.sort!
      @force_all || here.one? ? remove_all(here) : choose(here)
    end

    def uninstall_gem(spec)
      @spec = spec
      raise DependencyRemovalException, "Uninstallation aborted due to dependent gem(s)" unless dependencies_ok?(spec) || (!abort_on_dependent? && ask_if_ok(spec))
      Gem.pre_uninstall_hooks.each { |hook| hook.call(self) }
      remove_executables(spec)
      remove_plugins(spec)
      remove(spec)
      regenerate_plugins
      Gem.post_uninstall_hooks.each { |hook| hook.call(self) }
      @spec = nil
    end

    def remove_all(list) = list.each { |spec| uninstall_gem(spec) }

    # Programs that another version of the gem has stay.
    def remove_executables(spec)
      others = Specification.select { |each| each.name == spec.name && each.version != spec.version }.flat_map(&:executables)
      names = (spec.executables - others).map { |name| formatted_program_filename(name) }
      return if names.empty?
      remove = @force_executables
      remove = ask_yes_no("Remove executables:\n\t#{names.join(", ")}\n\nin addition to the gem?", true) if remove.nil?
      return say("Executables and scripts will remain installed.") unless remove
      folder = @bin_dir || Gem.bindir(spec.base_dir)
      raise FilePermissionError, folder unless File.writable?(folder)
      names.select { |name| SpecificationPolicy.inside?(name) }.each do |name|
        say("Removing #{name}")
        ["", ".bat"].each { |suffix| safe_delete { FileUtils.rm(File.join(folder, name + suffix)) } }
      end
    end

    def remove(spec)
      unless path_ok?(@gem_home, spec) || (@user_install && path_ok?(Gem.user_dir, spec))
        raise GemNotInHomeException.new("Gem '#{spec.full_name}' is not installed in directory #{@gem_home}").tap { |error| error.spec = spec }
      end
      raise FilePermissionError, spec.base_dir unless File.writable?(spec.base_dir)
      [spec.full_gem_path, spec.extension_dir].each { |path| safe_delete { FileUtils.rm_r(path) } }
      # gems of old are there by the name that their platform had at first
      { spec.cache_file => "gem", spec.spec_file => "gemspec" }.each do |path, kind|
        path = File.join(File.dirname(path), "#{spec.original_name}.#{kind}") unless File.exist?(path)
        safe_delete { FileUtils.rm_r(path) }
      end
      announce(spec)
      Specification.reset
    end

    def remove_plugins(spec) = (remove_plugins_for(spec, @plugins_dir) unless spec.plugins.empty?)
    # Those of the version that is now the newest.
    def regenerate_plugins = Specification.latest_spec_for(@spec.name)&.then { |spec| regenerate_plugins_for(spec, @plugins_dir) }

    def path_ok?(gem_dir, spec) = [spec.full_name, spec.original_name].any? { |name| File.join(gem_dir, "gems", name) == spec.full_gem_path }
    def dependencies_ok?(spec) = @force_ignore || DependencyList.from_specs.ok_to_remove?(spec.full_name, @check_dev)
    def abort_on_dependent? = @abort_on_dependent

    def ask_if_ok(spec)
      others = Specification.select { |each| each.name == spec.name && each.full_name != spec.full_name }
      needed = spec.dependent_gems(@check_dev).reject { |_, dependency,| others.any? { |each| each.satisfies_requirement?(dependency) } }
      lines = needed.map { |other, dependency,| "#{other.name}-#{other.version} depends on #{dependency}" }
      ask_yes_no(["", "You have requested to uninstall the gem:", "\t#{spec.full_name}", "", *lines,
                  "If you remove this gem, these dependencies will not be met.", "Continue with Uninstall?"].join("\n"), false)
    end

    def formatted_program_filename(filename)
      return filename unless @format_executable
      require "rubygems/installer"
      Installer.exec_format % File.basename(filename)
    end

    def safe_delete
      yield
    rescue Errno::ENOENT
      nil
    rescue Errno::EPERM
      raise UninstallError.new.tap { |error| error.spec = @spec }
    end

    private

    def matching
      wanted = Dependency.new(@gem, @version)
      listed = Specification.each_spec([*Specification.dirs, Gem.default_specifications_dir], @gem).select { |spec| wanted.matches_spec?(spec) }
      # libraries of this engine that are in place of default gems have no file
      listed + Specification.select { |spec| spec.stand_in? && spec.default_gem? && wanted.matches_spec?(spec) && !listed.include?(spec) }
    end

    def refuse(elsewhere)
      return if elsewhere.empty?
      raise InstallError, ["#{@gem} is not installed in GEM_HOME, try:", *elsewhere.map(&:base_dir).uniq.map { |place| "\tgem uninstall -i #{place} #{@gem}" }].join("\n")
    end

    def choose(list)
      say
      _, index = choose_from_list("Select gem to uninstall:", [*list.map(&:full_name), "All versions"])
      if index == list.size then remove_all(list)
      elsif index&.between?(0, list.size - 1) then uninstall_gem(list[index])
      else say("Error: must enter a number [1-#{list.size + 1}]")
      end
    end

    def announce(spec)
      say("Successfully uninstalled #{spec.full_name}")
      return unless @kept_defaults.include?(spec)
      say("There was both a regular copy and a default copy of #{spec.full_name}. The regular copy was successfully uninstalled, " \
          "but the default copy was left around because default gems can't be removed.")
    end
  end
end
