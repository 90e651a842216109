# What a resolver is asked, what it has decided, and why it could not.
require "rubygems/resolver"

module Gem
  class Resolver
    # A dependency, and the decision because of which it is needed; none of what the user asks for.
    class DependencyRequest
      attr_reader :dependency, :requester

      def initialize(dependency, requester)
        @dependency, @requester = dependency, requester
      end

      def ==(other)
        case other
        when Dependency then @dependency == other
        when DependencyRequest then @dependency == other.dependency
        else false
        end
      end
      def name = @dependency.name
      def type = @dependency.type
      def requirement = @dependency.requirement
      def development? = type == :development
      def match?(spec, allow_prerelease = false) = @dependency.match?(spec, nil, allow_prerelease)
      def matches_spec?(spec) = @dependency.matches_spec?(spec)
      def explicit? = @requester.nil?
      def implicit? = !explicit?
      def request_context = @requester ? @requester.request : "(unknown)"
      def to_s = @dependency.to_s
      def pretty_print(printer)
        printer.group(2, "[Dependency request ", "]") do
          printer.breakable
          printer.text(to_s)
          printer.breakable
          printer.text(" requested by ")
          printer.pp(@requester)
        end
      end
    end

    # A gem that was chosen for a request.
    class ActivationRequest
      attr_reader :spec, :request

      def initialize(spec, request)
        @spec, @request = spec, request
      end

      def ==(other)
        case other
        when Gem::Specification then @spec == other
        when ActivationRequest then @spec == other.spec
        else false
        end
      end
      def eql?(other) = self == other
      def hash = @spec.hash
      def name = @spec.name
      def version = @spec.version
      def platform = @spec.platform
      def full_name = NameTuple.new(name, version, platform).full_name
      alias to_s full_name
      def full_spec = @spec.is_a?(Gem::Specification) ? @spec : @spec.spec
      def parent = @request.requester
      def development? = @request.development?
      # A file that was only taken to the cache is not installed.
      def installed? = @spec.is_a?(VendorSpecification) || Gem::Specification.any? { |spec| spec == full_spec && !spec.package }

      # Takes the gem's file to a folder; gives where it lies.
      def download(path)
        Gem.ensure_gem_subdirectories(path)
        sources = @spec.respond_to?(:sources) ? @spec.sources : [@spec.source]
        sources.each do |source|
          return source.download(full_spec, path)
        rescue RemoteFetcher::FetchError
          raise if source.equal?(sources.last)
        end
      end

      def inspect = "#<#{self.class} for #{@spec.inspect} from #{@request}>"
      def pretty_print(printer)
        printer.group(2, "[Activation request", "]") do
          printer.breakable
          printer.pp(@spec)
          printer.breakable
          printer.text(" for ")
          printer.pp(@request)
        end
      end
    end

    # A request that does not fit what was chosen for another.
    class Conflict
      attr_reader :activated, :dependency, :failed_dep

      def initialize(dependency, activated, failed_dep = dependency)
        @dependency, @activated, @failed_dep = dependency, activated, failed_dep
      end

      def ==(other) = other.is_a?(Conflict) && [dependency, activated, failed_dep] == [other.dependency, other.activated, other.failed_dep]
      def conflicting_dependencies = [@failed_dep.dependency, @activated.request.dependency]
      def requester = @failed_dep.requester
      def for_spec?(spec) = @dependency.name == spec.name
      def explain = "<Conflict wanted: #{@failed_dep}, had: #{@activated.spec.full_name}>"

      # How both came to be asked for, and what is installed that would fit.
      def explanation
        wanted = @failed_dep.dependency
        installed = wanted.matching_specs.map(&:full_name)
        chains = [@activated, @failed_dep].map { |each| request_path(each).reverse.join(", depends on\n    ") }
        text = "  Activated #{@activated.spec.full_name}\n  which does not match conflicting dependency (#{wanted.requirement})\n\n" \
               "  Conflicting dependency chains:\n    #{chains.first}\n\n  versus:\n    #{chains.last}\n"
        text << "\n  Gems matching #{wanted}:\n    #{installed.join(", ")}" unless installed.empty?
        "#{text}\n"
      end

      def request_path(current)
        path = []
        while current
          case current
          when ActivationRequest
            path << "#{current.request.dependency}, #{current.spec.version} activated"
            current = current.parent
          when DependencyRequest
            path << current.dependency.to_s
            current = current.requester
          else raise Gem::Exception, "[BUG] unknown request class #{current.class}"
          end
        end
        path.empty? ? ["user request (gem command or Gemfile)"] : path
      end

      def pretty_print(printer)
        printer.group(2, "[Dependency conflict: ", "]") do
          failed = @dependency == @failed_dep ? [" failed"] : [" failed dependency ", @failed_dep]
          [["activated ", @activated], [" dependency ", @dependency], failed].each do |text, object|
            printer.breakable
            printer.text(text)
            printer.pp(object) if object
          end
        end
      end
    end

    # Requests that wait, exact ones first.
    class RequirementList
      include Enumerable

      def initialize
        @exact, @list = [], []
      end
      def initialize_copy(_other)
        @exact, @list = @exact.dup, @list.dup
      end

      def add(request) = (request.requirement.exact? ? @exact : @list).push(request) && request
      def each(&block) = block ? (@exact + @list).each(&block) : enum_for(:each)
      def size = @exact.size + @list.size
      def empty? = size.zero?
      def remove = @exact.shift || @list.shift
      def next5 = (@exact + @list).first(5)
    end

    # How much work it was.
    class Stats
      NAMES = { max_depth: "Max Depth", requirements: "Total Requirements", max_requirements: "Max Requirements", backtracking: "Backtracking #", iterations: "Iteration #" }.freeze
      private_constant :NAMES

      def initialize
        @counts = NAMES.transform_values { 0 }
      end

      def record_depth(stack) = @counts[:max_depth] = [@counts[:max_depth], stack.size].max
      def record_requirements(requests) = @counts[:max_requirements] = [@counts[:max_requirements], requests.size].max
      def requirement! = @counts[:requirements] += 1
      def backtracking! = @counts[:backtracking] += 1
      def iteration! = @counts[:iterations] += 1
      def display
        $stdout.puts("=== Resolver Statistics ===")
        NAMES.each { |name, title| $stdout.printf("%20s: %d\n", title, @counts[name]) }
      end
    end
  end
end
