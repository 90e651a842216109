require "rubygems"

class Chef
  class Provider
    class Package
      class Rubygems
        # An installation of RubyGems: what is installed in it, what it could install, and the means to change it. Subclasses say where it is.
        class GemEnvironment
          DEFAULT_UNINSTALLER_OPTS = { ignore: true, executables: true }.freeze

          # A source list that is set for a while must not be replaced when the configuration is read later.
          def initialize(*args)
            super
            Gem.configuration
          end

          %i{gem_paths gem_source_index gem_specification rubygems_version}.each do |name|
            define_method(name) { raise NotImplementedError }
          end

          def candidate_version_from_remote(_dependency, *_sources) = raise(NotImplementedError)

          # Specifications of the installed versions that a dependency allows; gems that come with Ruby do not count.
          def installed_versions(dependency)
            files = gem_specification.dirs.flat_map { |dir| Dir.glob(::File.join(dir, "#{dependency.name}-*.gemspec")) }
            found = files.filter_map { |file| Gem::Specification.load(file) }
            found.select { |spec| spec.name == dependency.name && dependency.requirement.satisfied_by?(spec.version) }
          end

          # Calls the block while gems come from other sources.
          def with_gem_sources(*sources, &block)
            sources.compact!
            swapped(:sources, sources.empty? ? Gem.sources : sources, &block)
          end

          def spec_from_file(path) = Gem::Package.new(path).spec

          # The version of a gem's file if the dependency allows it.
          def candidate_version_from_file(dependency, path)
            spec = spec_from_file(path)
            return spec.version if spec.satisfies_requirement?(dependency)

            logger.warn("gem package #{path} does not satisfy the requirements #{dependency}")
            nil
          end

          # The newest version in the sources that a dependency allows.
          def find_newest_remote_version(dependency, *sources)
            version = newest_specification(dependency)&.version
            return version if version

            given = sources.compact.empty? ? Gem.sources.to_a : sources
            logger.warn("failed to find gem #{dependency} from [#{given.join(", ")}]")
            nil
          end

          def install(dependency, options = {})
            sources = options.delete(:sources)
            with_gem_sources(*sources) do
              with_correct_verbosity { dependency_installer(**options).install(dependency) }
            end
          end

          # Removes one version, or all of them.
          def uninstall(name, version = nil, options = {})
            which = version ? { version: version } : { all: true }
            with_correct_verbosity { uninstaller(name, **options, **which).uninstall }
          end

          # Lets RubyGems print only when this run traces.
          def with_correct_verbosity
            Gem::DefaultUserInteraction.ui = Chef::Log.level == :trace ? Gem::ConsoleUI.new : Gem::SilentUI.new
            yield
          end

          def dependency_installer(**options) = Gem::DependencyInstaller.new(**options)
          def uninstaller(name, **options) = Gem::Uninstaller.new(name, **DEFAULT_UNINSTALLER_OPTS, **options)

          private

          def logger = Chef::Log

          # Calls the block while a setting of Gem has another value.
          def swapped(setting, value)
            before = Gem.public_send(setting)
            Gem.public_send("#{setting}=", value)
            yield
          ensure
            Gem.public_send("#{setting}=", before)
          end

          def newest_specification(dependency)
            if Chef::Config[:rubygems_cache_enabled]
              available = dependency_installer.find_gems_with_sources(dependency)
              available.pick_best!
              return available.set.first&.spec
            end
            resolved = dependency_installer.resolve_dependencies(dependency.name, dependency.requirement)
            resolved.specs.find { |spec| spec.name == dependency.name }
          rescue Gem::UnsatisfiableDependencyError
            nil
          end
        end

        # That of the running process.
        class CurrentGemEnvironment < GemEnvironment
          def gem_paths = Gem.path
          def gem_source_index = Gem.source_index
          def gem_specification = Gem::Specification
          def rubygems_version = Gem::VERSION

          def candidate_version_from_remote(dependency, *sources)
            with_gem_sources(*sources) { find_newest_remote_version(dependency, *sources) }
          end
        end

        # That of another Ruby, which its `gem` program tells about. Answers of a program are kept for the run.
        class AlternateGemEnvironment < GemEnvironment
          include Chef::Mixin::ShellOut

          JRUBY_PLATFORM = /(?:universal|x86_64|x86)-java-[0-9.]+/.freeze

          class << self
            def gempath_cache = @gempath_cache ||= {}
            def platform_cache = @platform_cache ||= {}
          end

          attr_reader :gem_binary_location

          def initialize(gem_binary_location)
            @gem_binary_location = gem_binary_location
          end

          def rubygems_version = @rubygems_version ||= ask("--version").chomp
          def gem_source_index = @source_index ||= Gem::SourceIndex.from_gems_in(*gem_paths.map { |path| "#{path}/specifications" })

          def gem_paths
            self.class.gempath_cache[gem_binary_location] ||= ask("env gempath").split(::File::PATH_SEPARATOR).map(&:strip)
          end

          # The directories are set once, because setting them forgets the specifications that are known.
          def gem_specification
            @specification ||= Gem::Specification.tap { |known| known.dirs = gem_paths }
          end

          # JRuby installs other gems than the running Ruby.
          def gem_platforms
            self.class.platform_cache[gem_binary_location] ||= begin
              jruby = ask("env")[JRUBY_PLATFORM]
              jruby ? ["ruby", Gem::Platform.new(jruby)] : Gem.platforms
            end
          end

          def with_gem_platforms(*platforms, &block) = swapped(:platforms, platforms.flatten, &block)

          # The newest version that the program lists; RubyGems of this process looks where the program fails.
          def candidate_version_from_remote(dependency, *sources)
            given = sources.compact.map { |source| "--source=#{source}" }.join(" ")
            lines = ask("list #{dependency.name} --remote --all #{given}").lines
            listed = lines.filter_map { |line| line[/\A#{Regexp.escape(dependency.name)} \((.*)\)/, 1] }.flat_map { |list| list.split(/,\s*/) }
            listed.filter_map { |text| listed_version(text) }.select { |version| dependency.requirement.satisfied_by?(version) }.max
          rescue Mixlib::ShellOut::ShellCommandFailed
            with_gem_sources(*sources) do
              with_gem_platforms(*gem_platforms) { find_newest_remote_version(dependency, *sources) }
            end
          end

          private

          def ask(words) = shell_out!("#{gem_binary_location} #{words}").stdout

          # The version of an entry such as "1.2.0 ruby x86_64-linux"; nil where no platform of it fits or it is no version.
          def listed_version(text)
            version, *platforms = text.split
            return unless Gem::Version.correct?(version)

            Gem::Version.new(version) if platforms.empty? || platforms.any? { |platform| platform == "ruby" || fits?(platform) }
          end

          def fits?(platform)
            other = Gem::Platform.new(platform)
            gem_platforms.any? { |own| Gem::Platform.new(own) === other }
          end
        end
      end
    end
  end
end
