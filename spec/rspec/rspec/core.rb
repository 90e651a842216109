# Example groups: classes that nest; examples run in an instance of their group.
module RSpec
  class Skipped < Exception; end
  class PendingSucceeded < StandardError; end

  # What a run found.
  class Report
    Failure = Struct.new(:description, :location, :error)
    attr_reader :passed, :pending, :failures, :outside

    def initialize = (@passed, @pending, @failures, @outside = [], [], [], [])
    def examples = passed.size + pending.size + failures.size
    def ok? = failures.empty? && outside.empty?
    def summary = "#{examples} examples, #{failures.size} failures, #{pending.size} pending#{", #{outside.size} errors outside of examples" unless outside.empty?}"
  end

  # Hooks, filters and modules for every group.
  class Configuration
    attr_reader :hooks, :exclusions, :modules
    attr_accessor :raise_on_warning, :run_all_when_everything_filtered, :fail_fast, :color, :formatter, :order, :default_formatter

    def initialize = (@hooks, @exclusions, @modules = Hash.new { |hash, key| hash[key] = [] }, {}, [])
    def before(scope = :each, *, **, &block) = @hooks[[:before, ExampleGroup.scope(scope)]] << block
    def after(scope = :each, *, **, &block) = @hooks[[:after, ExampleGroup.scope(scope)]] << block
    def around(scope = :each, *, **, &block) = @hooks[[:around, ExampleGroup.scope(scope)]] << block
    def filter_run_excluding(*names, **pairs) = @exclusions.merge!(names.to_h { |name| [name, true] }, pairs)
    def filter_run(*) = nil
    alias filter_run_including filter_run
    alias filter_run_when_matching filter_run
    def include(mixin, *) = @modules << mixin
    def extend(mixin, *) = ExampleGroup.singleton_class.include(mixin)
    def expect_with(*) = yield(self)
    def mock_with(*) = yield(self)
    attr_writer :syntax, :max_formatted_output_length, :allow_message_expectations_on_nil, :verify_partial_doubles

    def excluded?(metadata)
      @exclusions.any? do |key, wanted|
        next false unless metadata.key?(key)
        wanted.is_a?(Proc) ? wanted.call(metadata[key]) : wanted == metadata[key] || (wanted == true && metadata[key])
      end
    end
  end

  class Example
    attr_reader :group, :description, :metadata, :block, :location
    attr_accessor :pending_reason, :exception

    def initialize(group, description, metadata, block, location)
      @group, @description, @metadata, @block, @location = group, description.to_s, metadata, block, location
    end

    def full_description = "#{group.full_description} #{description}".strip
    # In an `around` hook the example is called as a block is.
    def run = @run.call
    alias call run
    def to_proc = method(:run).to_proc
    def running(procedure) = (@run = procedure)
    def example_group = group
  end

  class ExampleGroup
    class << self
      attr_reader :children, :examples, :metadata, :parent, :own_hooks, :description

      def scope(name) = { example: :each, context: :all }.fetch(name, name)

      def setup(parent, args, metadata)
        @parent, @children, @examples, @own_hooks, @shared = parent, [], [], Hash.new { |hash, key| hash[key] = [] }, {}
        @args = args
        @description = args.map(&:to_s).join(" ")
        @metadata = (parent ? parent.metadata : {}).merge(metadata)
        @metadata = @metadata.merge(described_class: args.first) if args.first && !args.first.is_a?(String) && !args.first.is_a?(Symbol)
        RSpec.configuration.modules.each { |mixin| include(mixin) } unless parent
      end

      def described_class = metadata[:described_class]
      def full_description = "#{parent.full_description if parent} #{description}".strip
      def metadata_of(args) = args.last.is_a?(Hash) ? args.pop.dup : {}

      def split(args)
        args = args.dup
        metadata = metadata_of(args)
        metadata[args.pop] = true while args.size > 1 && args.last.is_a?(Symbol)
        [args, metadata]
      end

      def make(parent, args, &block)
        args, metadata = split(args)
        Class.new(parent || ExampleGroup).tap do |group|
          group.setup(parent, args, metadata)
          parent ? parent.children << group : RSpec.groups << group
          group.class_exec(&block) if block
        end
      end

      def describe(*args, **options, &block) = ExampleGroup.make(self, options.empty? ? args : [*args, options], &block)
      alias context describe
      alias example_group describe
      alias fdescribe describe
      alias fcontext describe
      def xdescribe(*args, **options, &block) = describe(*args, **options, skip: true, &block)
      alias xcontext xdescribe

      def it(*args, **options, &block)
        args, own = split(options.empty? ? args : [*args, options])
        own = own.merge(skip: "no block") unless block
        @examples << Example.new(self, args.first || "", metadata.merge(own), block, caller_locations(1, 1).first.to_s)
      end
      alias specify it
      alias example it
      alias fit it
      alias focus it
      def xit(*args, **options, &block) = it(*args, **options, skip: true, &block)
      alias xspecify xit
      alias xexample xit
      alias skip xit
      def pending(*args, **options, &block) = it(*args, **options, pending: true, &block)
      def its(name, &block) = describe(name) { it { instance_exec(&block) } }

      def before(kind = :each, *, **, &block) = @own_hooks[[:before, ExampleGroup.scope(kind)]] << block
      def prepend_before(kind = :each, *, **, &block) = @own_hooks[[:before, ExampleGroup.scope(kind)]].unshift(block)
      alias append_before before
      def after(kind = :each, *, **, &block) = @own_hooks[[:after, ExampleGroup.scope(kind)]] << block
      alias append_after after
      alias prepend_after after
      def around(kind = :each, *, **, &block) = @own_hooks[[:around, ExampleGroup.scope(kind)]] << block

      # The block's method below one that memoizes: `super` in the block reaches the outer group's.
      def let(name, &block)
        include(Module.new { define_method(name, &block) })
        include(Module.new do |memo|
          define_method(name) { __memoized.fetch(memo) { __memoized[memo] = super() } }
        end)
      end

      def let!(name, &block)
        let(name, &block)
        before { __send__(name) }
      end

      def subject(name = nil, &block)
        let(:subject, &block)
        include(Module.new { define_method(name) { subject } }) if name
      end

      def subject!(name = nil, &block)
        subject(name, &block)
        before { subject }
      end

      def shared_examples(name, *rest, **, &block) = RSpec.share(self, [name, *rest], block)
      alias shared_examples_for shared_examples
      alias shared_context shared_examples

      def shared(name)
        group = self
        while group.respond_to?(:parent)
          found = RSpec.shared[[group, name]]
          return found if found
          group = group.parent
        end
        RSpec.shared[[nil, name]] || raise(ArgumentError, "Could not find shared examples #{name.inspect}")
      end

      def include_examples(name, *args, **options, &block)
        options.empty? ? class_exec(*args, &shared(name)) : class_exec(*args, **options, &shared(name))
        class_exec(&block) if block
      end
      alias include_context include_examples

      def it_behaves_like(name, *args, **options, &block)
        body = shared(name)
        describe("behaves like #{name}") do
          options.empty? ? class_exec(*args, &body) : class_exec(*args, **options, &body)
          class_exec(&block) if block
        end
      end
      alias it_should_behave_like it_behaves_like

      def lineage = parent ? [*parent.lineage, self] : [self]

      # Hooks outermost first.
      def hooks(kind, scope) = (scope == :each ? RSpec.configuration.hooks[[kind, :each]] : []) + lineage.flat_map { |group| group.own_hooks[[kind, scope]] }

      def run(report, ivars = {})
        return if RSpec.configuration.excluded?(metadata)
        holder = new(nil)
        holder.__take(ivars)
        begin
          own_hooks[[:before, :all]].each { |hook| holder.instance_exec(&hook) } unless all_examples.empty?
        rescue Exception => e
          all_examples.each { |example| report.failures << Report::Failure.new(example.full_description, example.location, e) }
          return
        ensure
          Mocks.reset
        end
        ivars = holder.__ivars
        examples.each { |example| run_one(example, report, ivars) }
        children.each { |child| child.run(report, ivars) }
        own_hooks[[:after, :all]].each { |hook| holder.instance_exec(&hook) }
      end

      def all_examples = examples.reject { |each| RSpec.configuration.excluded?(each.metadata) } + children.reject { |each| RSpec.configuration.excluded?(each.metadata) }.flat_map(&:all_examples)

      def run_one(example, report, ivars)
        return if RSpec.configuration.excluded?(example.metadata)
        if RSpec.only && !example.full_description.include?(RSpec.only)
          return
        end
        if example.metadata[:skip] || example.block.nil?
          report.pending << example.full_description
          return
        end
        example.pending_reason = "pending" if example.metadata[:pending]
        error = execute(example, ivars)
        if error.is_a?(Skipped) || (example.pending_reason && error)
          report.pending << example.full_description
        elsif example.pending_reason
          report.failures << Report::Failure.new(example.full_description, example.location, PendingSucceeded.new("expected pending example to fail"))
        elsif error
          report.failures << Report::Failure.new(example.full_description, example.location, error)
        else
          report.passed << example.full_description
        end
      end

      def execute(example, ivars)
        instance = new(example)
        instance.__take(ivars)
        RSpec.current_example = example
        error = nil
        chain = -> { error = __run_body(instance, example) }
        hooks(:around, :each).reverse_each do |hook|
          inner = chain
          chain = lambda do
            example.running(inner)
            instance.instance_exec(example, &hook)
          end
        end
        chain.call
        error
      rescue Exception => e
        e
      ensure
        Mocks.reset
        RSpec.current_example = nil
      end

      def __run_body(instance, example)
        error = nil
        begin
          hooks(:before, :each).each { |hook| instance.instance_exec(example, &hook) }
          instance.instance_exec(example, &example.block)
          Mocks.verify
        rescue Exception => e
          error = e
        end
        example.exception = error
        hooks(:after, :each).reverse_each do |hook|
          instance.instance_exec(example, &hook)
        rescue Exception => e
          error ||= e
        end
        error
      end

      def method_missing(name, *args, **options, &block)
        return super unless name.start_with?("it_", "its_") && block
        it("#{name} #{args.first}", **options, &block)
      end

      def respond_to_missing?(name, all = false) = super
    end

    def initialize(example) = @__example = example
    def __memoized = @__memoized ||= {}
    def __ivars = instance_variables.reject { |name| name.start_with?("@__") }.to_h { |name| [name, instance_variable_get(name)] }
    def __take(ivars) = ivars.each { |name, value| instance_variable_set(name, value) }
    def described_class = self.class.described_class
    def subject = __memoized.fetch(:subject) { |key| __memoized[key] = described_class.is_a?(Class) ? described_class.new : described_class }
    def is_expected = expect(subject)
    def skip(reason = nil) = raise(Skipped, reason.to_s)
    def pending(reason = nil) = @__example.pending_reason = reason || "pending"
    def inspect = "#<#{self.class}>"
  end

  class << self
    attr_accessor :current_example, :only

    def groups = @groups ||= []
    def shared = @shared ||= {}
    def configuration = @configuration ||= Configuration.new
    def configure = yield(configuration)
    def describe(*args, **options, &block) = ExampleGroup.make(nil, options.empty? ? args : [*args, options], &block)
    alias context describe
    def share(group, names, block) = names.each { |name| shared[[group, name]] = block if name.is_a?(String) || name.is_a?(Symbol) || name.is_a?(Module) }
    def shared_examples(name, *rest, **, &block) = share(nil, [name, *rest], block)
    alias shared_examples_for shared_examples
    alias shared_context shared_examples

    def run(files)
      report = Report.new
      files.each do |file|
        load(File.expand_path(file))
      rescue Exception => e
        report.outside << e
      end
      configuration.hooks[[:before, :suite]].each(&:call)
      groups.each { |group| group.run(report) }
      configuration.hooks[[:after, :suite]].each(&:call)
      report
    end
  end
end

def self.describe(...) = RSpec.describe(...)
def self.context(...) = RSpec.describe(...)
def self.shared_examples(...) = RSpec.shared_examples(...)
def self.shared_examples_for(...) = RSpec.shared_examples(...)
def self.shared_context(...) = RSpec.shared_examples(...)
