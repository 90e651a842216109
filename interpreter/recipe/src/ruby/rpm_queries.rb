class Chef
  class Provider
    class Package
      # What cookbooks ask of the packages of yum and dnf. Chef keeps a Python process for it; here every question is asked anew, so there is nothing
      # to restart.
      module RpmQueries
        # A package as `package_query` answers it; everything is nil without one. `version` is `EPOCH:VERSION-RELEASE`.
        module Evra
          attr_accessor :name, :version, :arch

          def initialize(name = nil, version = nil, arch = nil)
            @name = name
            @version = version
            @arch = arch
          end

          def ==(other) = name == other.name && version == other.version && arch == other.arch
          alias eql? ==
          def to_s = (version && "#{name}-#{version}.#{arch}")
          def version_with_arch = (version && "#{version}.#{arch}")
          def name_with_arch = (name && "#{name}.#{arch}")
          def matches_name_and_arch?(other) = other.version == version && other.arch == arch
        end

        def self.included(helper) = helper.include(Singleton, Chef::Mixin::ShellOut)

        FIELDS = "%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE} %{ARCH}\\n"

        # `action` is `:whatinstalled` or `:whatavailable`; `provides` a name, a file or anything else that packages provide.
        def package_query(action, provides, version: nil, arch: nil, options: {})
          found = action.to_sym == :whatinstalled ? installed(provides) : available(provides, Array(options))
          found.select! { |each| arch.nil? || each.arch == arch }
          found.select! { |each| version.nil? || versions_of(each.version).include?(version.to_s) }
          found.last || version_class.new
        end

        def start = nil
        def restart = nil
        def reap = nil

        private

        def installed(provides) = [%w{-q}, %w{-q --whatprovides}].lazy.map { |words| rows("rpm", *words, "--qf", FIELDS, provides) }.find(&:any?) || []

        # The rows of a command that succeeds, as packages, the oldest first.
        def rows(*command)
          asked = shell_out(*command)
          asked.error? ? [] : asked.stdout.lines.map(&:split).select { |row| row.size == 3 }.map { |row| version_class.new(*row) }
        end

        # The ways to write a version: with or without epoch and release.
        def versions_of(found)
          version = found.partition(":").last
          [found, version, version.rpartition("-").first]
        end
      end

      class Dnf
        class Version
          include RpmQueries::Evra
        end

        class PythonHelper
          include RpmQueries

          private

          def version_class = Version

          def available(provides, options)
            rows("dnf", "-q", "repoquery", "--available", *options, "--qf", "%{name} %{epoch}:%{version}-%{release} %{arch}\\n", "--whatprovides", provides)
          end
        end
      end

      class Yum
        class Version
          include RpmQueries::Evra
        end

        class PythonHelper
          include RpmQueries

          private

          def version_class = Version

          def available(provides, options)
            words = shell_out("yum", "-q", "list", "available", "--showduplicates", *options, provides).stdout.partition("Available Packages").last.split
            words.each_slice(3).map do |package, version, _|
              name, _, arch = package.rpartition(".")
              Version.new(name, "#{"0:" unless version.include?(":")}#{version}", arch)
            end
          end
        end

        class YumCache
          include Singleton

          def refresh = nil
          def reload = nil
          def reload_installed = nil
          def reload_provides = nil
          def reset = nil
          def reset_installed = nil
          def installed_version(name, arch = nil) = ask(:whatinstalled, name, arch).version_with_arch
          def available_version(name, arch = nil) = ask(:whatavailable, name, arch).version_with_arch
          def package_available?(name, arch = nil) = !ask(:whatavailable, name, arch).version.nil?
          def version_available?(name, version, arch = nil) = !ask(:whatavailable, name, arch, version).version.nil?

          private

          def ask(action, name, arch, version = nil) = PythonHelper.instance.package_query(action, name, arch: arch, version: version)
        end
      end
    end
  end
end
