class Chef
  class Provider
    class Package
      class Yum
        # What old cookbooks ask of yum's packages. Every question is asked anew, so there is nothing to reload.
        class YumCache
          include Singleton
          include Chef::Mixin::ShellOut

          def refresh = nil
          def reload = nil
          def reload_installed = nil
          def reload_provides = nil
          def reset = nil
          def reset_installed = nil

          def installed_version(name, arch = nil)
            asked = shell_out("rpm", "-q", "--qf", "%{EPOCHNUM}:%{VERSION}-%{RELEASE}.%{ARCH}\\n", full(name, arch))
            asked.stdout.lines.last&.chomp unless asked.error?
          end

          def available_version(name, arch = nil) = available(name, arch).last
          def package_available?(name, arch = nil) = !available(name, arch).empty?
          def version_available?(name, version, arch = nil) = available(name, arch).any? { |found| versions_of(found).include?(version) }

          private

          def full(name, arch) = [name, arch].compact.join(".")

          # The packages on offer as `EPOCH:VERSION-RELEASE.ARCH`, the oldest first.
          def available(name, arch)
            words = shell_out("yum", "-q", "list", "available", "--showduplicates", full(name, arch)).stdout.partition("Available Packages").last.split
            words.each_slice(3).map { |package, version, _| "#{"0:" unless version.include?(":")}#{version}.#{package.rpartition(".").last}" }
          end

          # The ways to write a version: with or without epoch and release.
          def versions_of(found)
            evr = found.rpartition(".").first
            version = evr.partition(":").last
            [evr, version, version.rpartition("-").first]
          end
        end
      end
    end
  end
end
