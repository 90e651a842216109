# `gem uninstall`: removes installed gems, those that need others before them.
require "rubygems/command"
require "rubygems/uninstaller"
require "rubygems/version_option"

module Gem
  module Commands
    class UninstallCommand < Command
      include VersionOption

      FLAGS = {
        all: ["-a", "--[no-]all", "Remove all versions that fit"], ignore: ["-I", "--[no-]ignore-dependencies", "Remove also what other gems need"],
        check_dev: ["-D", "--[no-]check-development", "Count also what the development of gems", "needs"],
        executables: ["-x", "--[no-]executables", "Remove programs (or not) without a question"],
        install_dir: ["-i", "--install-dir DIR", "Folder of gems to remove from"], bin_dir: ["-n", "--bindir DIR", "Folder that the programs lie in"],
        user_install: ["--[no-]user-install", "Remove also below the home of the user"],
        format_executable: ["--[no-]format-executable", "Programs are named as Ruby itself is named"],
        force: ["--[no-]force", "Remove all versions, whatever needs them"],
        abort_on_dependent: ["--[no-]abort-on-dependent", "Remove nothing that other gems need,", "without a question"]
      }.freeze
      private_constant :FLAGS

      def initialize
        super("uninstall", "Uninstall gems from the local repository", version: Requirement.default, user_install: true, check_dev: false)
        FLAGS.each { |name, words| add_option(*words) { |value, options| options[name] = name.end_with?("_dir") ? File.expand_path(value) : value } }
        add_version_option
        add_platform_option
      end

      def arguments = "GEMNAME       name of gem to uninstall"
      def defaults_str = "--version '#{Requirement.default}' --no-force --user-install"
      def usage = "#{program_name} GEMNAME [GEMNAME ...]"
      def description
        <<~TEXT
          Removes installed gems. If another gem needs one of them, this asks first,
          unless --ignore-dependencies is given.
        TEXT
      end

      def execute
        check_version
        options[:all] && options[:args].empty? ? uninstall_all : uninstall_specific
      end
      def check_version = check_one_version("uninstall")

      def uninstall_all
        Specification.reject { |spec| spec.default_gem? || spec.stand_in? }.each do |spec|
          options[:version] = spec.version
          uninstall_gem(spec.name)
        end
        alert("Uninstalled all gems in #{options[:install_dir] || Gem.dir}")
      end

      def uninstall_specific
        list = DependencyList.new
        wanted = get_all_gem_names_and_versions.to_h { |name, version| [name, version || options[:version]] }
        wanted.each do |name, version|
          found = Specification.find_all_by_name(name, version)
          say("Gem '#{name}' is not installed") if found.empty?
          list.add(*found)
        end
        list.strongly_connected_components.flatten.reverse.uniq(&:name).each do |spec|
          options[:version] = spec.version unless wanted[spec.name] == Requirement.default
          uninstall_gem(spec.name)
        end
      end

      def uninstall_gem(gem_name)
        Uninstaller.new(gem_name, options).uninstall
      rescue GemNotInHomeException => error
        alert("In order to remove #{error.spec.name}, please execute:\n\tgem uninstall #{error.spec.name} --install-dir=#{error.spec.base_dir}")
      rescue UninstallError => error
        alert_error("Error: unable to successfully uninstall '#{error.spec.name}' which is located at '#{error.spec.full_gem_path}'. " \
                    "This is most likely becausethe current user does not have the appropriate permissions")
        terminate_interaction(1)
      end
    end
  end
end
