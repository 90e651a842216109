# Where a resolver finds gems: each set answers a request with what it has.
require "rubygems/resolver"
require "rubygems/spec_fetcher"

module Gem
  class Resolver
    class Set
      attr_accessor :errors, :prerelease, :remote

      def initialize
        @prerelease, @remote, @errors = false, true, []
      end

      def find_all(_request) = raise(NotImplementedError)
      # Some sets know more if they hear of all requests before the first one.
      def prefetch(_requests) = nil
      def remote? = @remote

      private

      # For `pp`; an Array of texts comes with commas.
      def print_set(printer, title, *parts)
        printer.group(2, "[#{title}", "]") do
          parts.each do |part, list|
            printer.breakable
            part.is_a?(String) ? printer.text(part) : printer.pp(part)
            next unless list
            printer.breakable
            printer.seplist(list) { |each| printer.text(each) }
          end
        end
      end
    end

    # Several sets, in their order.
    class ComposedSet < Set
      attr_reader :sets

      def initialize(*sets)
        super()
        @sets = sets
      end

      def prerelease=(value)
        super
        @sets.each { |set| set.prerelease = value }
      end
      def remote=(value)
        super
        @sets.each { |set| set.remote = value }
      end
      def errors = @errors + @sets.flat_map(&:errors)
      def find_all(request) = @sets.flat_map { |set| set.find_all(request) }
      def prefetch(requests) = @sets.each { |set| set.prefetch(requests) }
    end

    # What servers have, each asked in its way.
    class BestSet < ComposedSet
      def initialize(sources = Gem.sources)
        super()
        @sources = sources
      end

      def pick_sets = @sources.each_source { |source| @sets << source.dependency_resolver_set }
      def find_all(request)
        pick_sets if @remote && @sets.empty?
        super
      end
      def prefetch(requests)
        pick_sets if @remote && @sets.empty?
        super
      end
      def pretty_print(printer) = print_set(printer, "BestSet", "sets:", @sets)
    end

    # What is installed.
    class CurrentSet < Set
      def find_all(request) = request.dependency.matching_specs
    end

    # What the lists of servers name.
    class IndexSet < Set
      def initialize(source = nil)
        super()
        @fetcher = source ? SpecFetcher.new([source]) : SpecFetcher.fetcher
        list, errors = @fetcher.available_specs(:complete)
        @errors.concat(errors)
        @all = list.flat_map { |from, tuples| tuples.map { |tuple| [from, tuple] } }.group_by { |_, tuple| tuple.name }
      end

      def find_all(request)
        return [] unless @remote
        @all.fetch(request.dependency.name, []).select { |_, tuple| request.match?(tuple, @prerelease) }
            .map { |from, tuple| IndexSpecification.new(self, tuple.name, tuple.version, from, tuple.platform) }
      end
      def pretty_print(printer) = print_set(printer, "IndexSet", "sources:", @fetcher.sources, ["specs:", @all.values.flatten(1).map { |_, tuple| tuple.full_name }])
    end

    # Gems that each come from a server of their own.
    class SourceSet < Set
      def initialize
        super
        @links, @sets = {}, {}
      end

      def add_source_gem(name, source) = @links[name] = source
      def find_all(request) = set_of(request)&.find_all(request) || []
      def prefetch(requests) = requests.each { |request| set_of(request)&.prefetch(requests) }

      private

      def set_of(request)
        link = @links[request.dependency.name]
        @sets[link] ||= Source.new(link).dependency_resolver_set if link
      end
    end

    # Gems that lie unpacked in folders.
    class VendorSet < Set
      attr_reader :specs

      def initialize
        super
        @directories, @specs = {}, {}
      end

      def add_vendor_gem(name, directory)
        gemspec = File.join(directory, "#{name}.gemspec")
        spec = Gem::Specification.load(gemspec) or raise GemNotFoundException, "unable to find #{gemspec} for gem #{name}"
        spec.full_gem_path = File.expand_path(directory)
        @directories[spec] = directory
        @specs[spec.name] = spec
      end
      def find_all(request)
        @specs.values.select { |spec| request.match?(spec) }.map { |spec| VendorSpecification.new(self, spec, Source::Vendor.new(@directories[spec])) }
      end
      def load_spec(name, _version, _platform, _source) = @specs.fetch(name)
      def pretty_print(printer)
        names = @directories.map { |spec, directory| "#{spec.full_name}: #{directory}" }
        printer.group(2, "[VendorSet", "]") do
          next if names.empty?
          printer.breakable
          printer.seplist(names) { |name| printer.text(name) }
        end
      end
    end

    # The versions that a lock file pins.
    class LockSet < Set
      attr_reader :specs

      def initialize(sources)
        super()
        @sources = sources.map { |source| Source::Lock.new(source) }
        @specs = []
      end

      def add(name, version, platform)
        [LockSpecification.new(self, name, Version.new(version), @sources, platform)].tap { |made| @specs.concat(made) }
      end
      def find_all(request) = @specs.select { |spec| request.match?(spec) }
      def load_spec(name, version, platform, _source)
        wanted = Dependency.new(name, version)
        found = @specs.find { |spec| wanted.matches_spec?(spec) && spec.platform == platform }
        found.source.fetch_spec(NameTuple.new(found.name, found.version, found.platform))
      end
      def pretty_print(printer) = print_set(printer, "LockSet", "source:", @source, "specs:", @specs.map(&:full_name))
    end

    # For an installation: what is installed, files here and what servers have, as far as the domain goes.
    class InstallerSet < Set
      attr_reader :always_install, :remote_set
      attr_accessor :force, :ignore_dependencies, :ignore_installed

      def initialize(domain)
        super()
        @domain = domain
        @always_install, @local, @specs = [], {}, {}
        @force = @ignore_dependencies = @ignore_installed = false
        @local_source, @remote_set = Source::Local.new, BestSet.new
      end

      # Finds the newest version that runs here; it is installed even if it is there.
      def add_always_install(dependency)
        request = DependencyRequest.new(dependency, nil)
        found = find_all(request).select { |spec| dependency.prerelease? || !spec.version.prerelease? || spec.local? }
        found = found.select { |spec| spec.source.is_a?(Source::SpecificFile) || spec.platform == Platform::RUBY || Platform.local === spec.platform }
                     .sort_by { |spec| [spec.version, Platform.sort_priority(spec.platform)] }
        raise UnsatisfiableDependencyError.new(request).tap { |error| error.errors = errors } if found.empty?
        chosen = found.last if @force
        chosen ||= found.reverse.find { |spec| Resolver.runs_here?(spec) } || refuse(found.last.spec)
        @always_install << chosen.spec
      end
      def add_local(name, spec, source) = @local[name] = [spec, source]
      def local?(name) = @local[name]&.first
      def consider_local? = %i[both local].include?(@domain)
      def consider_remote? = %i[both remote].include?(@domain)
      def errors = @errors + @remote_set.errors

      def find_all(request)
        dependency = request.dependency
        return [] if @ignore_dependencies && @always_install.none? { |spec| dependency.match?(spec) }
        found = @ignore_installed ? [] : installed(dependency)
        found.concat(local(request)) if consider_local?
        found.reject! { |spec| spec.version.prerelease? && !dependency.prerelease? }
        consider_remote? ? found + @remote_set.find_all(request) : found
      end
      def prefetch(requests) = (@remote_set.prefetch(requests) if consider_remote?)
      def prerelease=(value)
        super
        @remote_set.prerelease = value
      end
      # Widens or narrows the domain.
      def remote=(value)
        @domain = { local: value ? :both : :local, remote: value ? :remote : nil, both: value ? :both : :local }[@domain]
      end
      def load_spec(name, version, platform, source) = @specs["#{name}-#{version}-#{platform}"] ||= source.fetch_spec(NameTuple.new(name, version, platform))
      def inspect = "#<#{self.class} domain: #{@domain} specs: #{@specs.keys.inspect} always install: #{@always_install.map(&:full_name).inspect}>"
      def pretty_print(printer) = print_set(printer, "InstallerSet", "domain: #{@domain}", "specs: ", @specs.keys, "always install: ", @always_install)

      private

      def installed(dependency)
        dependency.matching_specs.reject { |spec| @always_install.any? { |each| each.name == spec.name } }.map { |spec| InstalledSpecification.new(self, spec) }
      end
      def local(request)
        given = @local.values.select { |spec, _| request.match?(spec) }.map { |spec, source| LocalSpecification.new(self, spec, source) }
        spec = @local_source.find_gem(request.name, request.requirement)
        spec ? [*given, IndexSpecification.new(self, spec.name, spec.version, @local_source, spec.platform)] : given
      end

      def refuse(spec)
        unless spec.required_ruby_version.satisfied_by?(Gem.ruby_version)
          raise RuntimeRequirementNotMetError, "#{spec.full_name} requires Ruby version #{spec.required_ruby_version}. The current ruby version is #{Gem.ruby_version}."
        end
        raise RuntimeRequirementNotMetError, "#{spec.full_name} requires RubyGems version #{spec.required_rubygems_version}. " \
                                             "The current RubyGems version is #{VERSION}. Try 'gem update --system' to update RubyGems itself."
      end
    end
  end
end
