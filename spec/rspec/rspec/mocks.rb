# Doubles and message expectations: `allow(x).to receive(:m).with(1).and_return(2)`, `double`, `stub_const`. All of it ends with the example.
module RSpec
  module Mocks
    class MockExpectationError < Exception; end

    class << self
      def undo = @undo ||= []
      def expected = @expected ||= []
      def stubs = @stubs ||= {}.compare_by_identity

      # MockExpectationError unless every expected message has come as often as it should.
      def verify = expected.each(&:verify)

      def reset
        undo.reverse_each(&:call)
        undo.clear
        expected.clear
        stubs.clear
      end
    end

    # One `receive`: which call it fits, what it answers, how often it may come.
    class Receive
      attr_reader :name, :count, :calls
      attr_writer :target

      def initialize(name, block)
        @name, @block, @calls, @answers = name.to_sym, block, 0, nil
      end

      def with(*args, **options, &block)
        @args = options.empty? ? args : [*args, options]
        @block = block if block
        self
      end

      def and_return(*values, &block)
        return answer(&block) if block
        left = values
        answer { left.size > 1 ? left.shift : left.first }
      end

      def and_return_nil = and_return(nil)
      def and_raise(*args) = answer { args.first.is_a?(Exception) || args.size > 1 ? raise(*args) : raise(args.empty? ? RuntimeError.new("") : instance(args.first)) }
      def and_throw(*args) = answer { throw(*args) }
      def and_call_original = tap { @original = true }
      def and_wrap_original(&block) = tap { @wrap = block }

      def and_yield(*args)
        (@yields ||= []) << args
        self
      end

      def at_least(count) = bounds(at(count), nil)
      def at_most(count) = bounds(0, at(count))
      def exactly(count) = bounds(at(count), at(count))
      def once(&block) = limit(1, &block)
      def twice(&block) = limit(2, &block)
      def thrice(&block) = limit(3, &block)
      def never = bounds(0, 0)

      def times(&block)
        @block = block if block
        self
      end
      alias time times
      def ordered(&block) = times(&block)

      def fits?(args) = @args.nil? || Arguments.fit?(@args, args)

      def install(object, expected: false, any: false, &block)
        @block ||= block
        @least, @most = 1, 1 if expected && !@most && !@least
        Stub.of(object, @name, any).rules.unshift(self)
        Mocks.expected << self if expected
        @target = object
        self
      end

      def call(stub, receiver, args, options, block)
        @calls += 1
        if @most && @calls > @most && !@negative
          raise MockExpectationError, "#{shown} expected: #{@most} times, received: #{@calls} times"
        end
        return stub.original(receiver, args, options, block) if @original
        return pass(@wrap, receiver, [stub.bound(receiver), *args], options, block) if @wrap
        @yields&.each { |values| @answered = block.call(*values) }
        if @answers then @answers.call
        elsif @block then pass(@block, receiver, args, options, block)
        elsif @yields then @answered
        else stub.earlier(self, receiver, args, options, block)
        end
      end

      def verify
        return if @calls >= (@least || 0) && (@most.nil? || @calls <= @most)
        raise MockExpectationError, "#{shown}#{" with #{@args.inspect}" if @args} expected: #{@least}#{"..#{@most}" if @most != @least} times, received: #{@calls} times"
      end

      def shown = "(#{@target.class == Class ? @target : "a #{@target.class}"}).#{@name}"

      private

      def answer(&block)
        @answers = block
        self
      end

      def instance(kind) = kind.is_a?(Class) ? kind.exception : kind
      def at(count) = { once: 1, twice: 2, thrice: 3 }.fetch(count, count)

      def bounds(least, most)
        @least, @most = least, most
        self
      end

      # `once` after `at_least` or `at_most` only names the number.
      def limit(count, &block)
        @block = block if block
        bounds(count, count)
      end

      def pass(callable, _receiver, args, options, block) = options.empty? ? callable.call(*args, &block) : callable.call(*args, **options, &block)
    end

    # The replacement of one method of one object (or of all instances of a class).
    class Stub
      attr_reader :rules, :log

      def self.of(object, name, any) = ((Mocks.stubs[object] ||= {})[[name, any]] ||= new(object, name, any))

      def initialize(object, name, any)
        @object, @name, @any, @rules, @log = object, name, any, [], []
        @holder = any ? object : object.singleton_class
        own = @holder.method_defined?(name, false) || @holder.private_method_defined?(name, false)
        @before = @holder.instance_method(name) if own
        @inherited = (@before || (@holder.method_defined?(name) || @holder.private_method_defined?(name) ? @holder.instance_method(name) : nil))
        @missing = !@inherited
        visibility = @holder.private_method_defined?(name) ? :private : (@holder.protected_method_defined?(name) ? :protected : :public)
        stub = self
        @holder.define_method(name) { |*args, **options, &block| stub.receive(self, args, options, block) }
        @holder.send(visibility, name)
        Mocks.undo << method(:restore)
      end

      def receive(receiver, args, options, block)
        given = options.empty? ? args : [*args, options]
        @log << given
        fitting = rules.select { |each| each.fits?(given) }
        rule = fitting.find { |each| !each.full? } || fitting.first
        return rule.call(self, receiver, args, options, block) if rule
        raise MockExpectationError, "#{receiver.class} received :#{@name} with unexpected arguments #{given.inspect}"
      end

      # What an earlier rule answers where the expected one says nothing.
      def earlier(rule, receiver, args, options, block)
        given = options.empty? ? args : [*args, options]
        older = rules.drop(rules.index(rule) + 1).find { |each| each.fits?(given) }
        older&.call(self, receiver, args, options, block)
      end

      def original(receiver, args, options, block)
        return bound(receiver).call(*args, &block) if options.empty?
        bound(receiver).call(*args, **options, &block)
      end

      def bound(receiver)
        return @inherited.bind(receiver) if @inherited
        name = @name
        ->(*args, **options, &block) { options.empty? ? receiver.send(:method_missing, name, *args, &block) : receiver.send(:method_missing, name, *args, **options, &block) }
      end

      def restore
        @holder.send(:remove_method, @name)
        @holder.define_method(@name, @before) if @before
      rescue NameError, FrozenError
        nil
      end
    end

    class Receive
      def full? = @most && @calls >= @most && @most.positive?
    end

    # Patterns for `with`.
    module Arguments
      class Any
        def ===(_) = true
        def inspect = "anything"
      end
      class AnyNumber
        def inspect = "any args"
      end
      class None
        def inspect = "no args"
      end
      Test = Struct.new(:name, :block) do
        def ===(other) = block.call(other)
        def ==(other) = block.call(other)
        def inspect = name
      end

      def self.fit?(expected, given)
        return given.empty? if expected.size == 1 && expected.first.is_a?(None)
        at = expected.index { |each| each.is_a?(AnyNumber) }
        return expected.size == given.size && expected.zip(given).all? { |each, other| Matchers.fits?(each, other) } unless at
        tail = expected.size - at - 1
        given.size >= expected.size - 1 && expected.first(at).zip(given).all? { |each, other| Matchers.fits?(each, other) } && expected.last(tail).zip(given.last(tail)).all? { |each, other| Matchers.fits?(each, other) }
      end
    end

    class Allow
      def initialize(object, any: false) = (@object, @any = object, any)

      def to(rule, &block)
        return rule.install(@object, any: @any, &block) unless rule.is_a?(Array)
        rule.each { |each| each.install(@object, any: @any) }
      end

      def not_to(rule, &block) = rule.never.install(@object, expected: true, any: @any, &block)
      alias to_not not_to
    end

    class ExpectAny < Allow
      def to(rule, &block) = rule.install(@object, expected: true, any: true, &block)
    end

    class Chain < Receive
      def initialize(names, block)
        @names = names
        super(names.first, block)
      end

      def install(object, **rest, &block)
        @names[0..-2].each do |name|
          object.singleton_class
          following = Double.new(name.to_s, {})
          value = following
          Receive.new(name, nil).and_return(value).install(object, **rest)
          object = following
        end
        @name = @names.last.to_sym
        super(object, **rest, &block)
      end
    end

    class HaveReceived < Matchers::Matcher
      def initialize(name) = (@name, @least = name, 1)
      def with(*args, **options) = tap { @args = options.empty? ? args : [*args, options] }
      def exactly(count) = tap { @least = @most = count }
      def once = exactly(1)
      def twice = exactly(2)
      def times = self
      def at_least(count) = tap { @least = count.is_a?(Symbol) ? { once: 1, twice: 2 }[count] : count }
      def ordered = self

      def matches?(actual)
        @actual = actual
        log = (Mocks.stubs[actual] || {})[[@name, false]]&.log || (actual.is_a?(Double) ? actual.__log(@name) : [])
        count = log.count { |args| @args.nil? || Arguments.fit?(@args, args) }
        count >= @least && (@most.nil? || count <= @most)
      end

      def description = "have received #{@name} #{@args.inspect}"
    end

    # An object that answers what it was told to, and refuses the rest.
    class Double
      def initialize(name, answers, null: false, kind: nil)
        @__name, @__null, @__kind, @__calls = name, null, kind, Hash.new { |hash, key| hash[key] = [] }
        answers.each { |key, value| Receive.new(key, nil).and_return(value).install(self) }
      end

      def __log(name) = @__calls[name]
      def as_null_object = tap { @__null = true }
      def null_object? = @__null
      def to_s = inspect
      def inspect = "#<Double #{@__name.inspect}>"
      def ==(other) = equal?(other) || (other.respond_to?(:==) && !other.is_a?(Double) && other == self)
      def is_a?(kind) = super || (@__kind.is_a?(Module) && !@__class && @__kind <= kind)
      alias kind_of? is_a?
      def instance_of?(kind) = super || @__kind.equal?(kind)
      def to_ary = nil
      def respond_to?(name, all = false) = name == :to_ary ? false : (@__null ? true : super)

      def method_missing(name, *args)
        @__calls[name] << args
        return self if @__null
        raise NoMethodError, "undefined method" if %i{to_str to_hash to_io to_a to_proc to_path to_int to_sym}.include?(name)
        raise MockExpectationError, "#{inspect} received unexpected message :#{name} with #{args.inspect}"
      end

      def respond_to_missing?(*) = false
    end

    def allow(object) = Allow.new(object)
    def allow_any_instance_of(kind) = Allow.new(kind, any: true)
    def expect_any_instance_of(kind) = ExpectAny.new(kind)
    def receive(name, &block) = Receive.new(name, block)
    def receive_messages(**answers) = answers.map { |name, value| Receive.new(name, nil).and_return(value) }

    def receive_message_chain(*names, **answers, &block)
      names = names.flat_map { |name| name.to_s.split(".") }
      return Chain.new(names, block) if answers.empty?
      Chain.new([*names, answers.keys.first], block).and_return(answers.values.first)
    end

    def have_received(name) = HaveReceived.new(name)
    def double(name = nil, answers = {}, **more) = name.is_a?(Hash) ? Double.new("", name) : Double.new(name, answers.merge(more))
    def spy(name = nil, **answers) = Double.new(name, answers, null: true)
    def instance_double(kind, *, **answers) = Double.new(kind, answers, kind: kind.is_a?(Module) ? kind : (Object.const_get(kind) rescue nil))
    alias object_double instance_double
    def class_double(kind, *, **answers) = Double.new(kind, answers)
    def instance_spy(kind, **answers) = Double.new(kind, answers, null: true)

    def stub_const(path, value)
      *outer, name = path.split("::")
      holder = outer.inject(Object) { |at, part| at.const_get(part) }
      known = holder.const_defined?(name, false)
      before = holder.const_get(name) if known
      holder.send(:remove_const, name) if known
      holder.const_set(name, value)
      Mocks.undo << lambda do
        holder.send(:remove_const, name)
        holder.const_set(name, before) if known
      end
      value
    end

    def hide_const(path)
      *outer, name = path.split("::")
      holder = outer.inject(Object) { |at, part| at.const_get(part) }
      return unless holder.const_defined?(name, false)
      before = holder.send(:remove_const, name)
      Mocks.undo << -> { holder.const_set(name, before) }
    end

    def anything = Arguments::Any.new
    def any_args = Arguments::AnyNumber.new
    def no_args = Arguments::None.new
    def boolean = Arguments::Test.new("boolean", ->(other) { [true, false].include?(other) })
    def kind_of(kind) = Arguments::Test.new("kind of #{kind}", ->(other) { kind === other })
    def instance_of(kind) = Arguments::Test.new("instance of #{kind}", ->(other) { other.instance_of?(kind) })
    def duck_type(*names) = Arguments::Test.new("responds to #{names}", ->(other) { names.all? { |name| other.respond_to?(name) } })
    def hash_including(*keys, **pairs)
      pairs = keys.pop if keys.last.is_a?(Hash) && pairs.empty?
      Arguments::Test.new("hash including #{keys} #{pairs}", ->(other) { other.is_a?(Hash) && keys.all? { |key| other.key?(key) } && pairs.all? { |key, value| other.key?(key) && Matchers.fits?(value, other[key]) } })
    end

    def hash_excluding(*keys, **pairs) = Arguments::Test.new("hash excluding", ->(other) { keys.none? { |key| other.key?(key) } && pairs.none? { |key, value| other.key?(key) && other[key] == value } })
    def array_including(*items) = Arguments::Test.new("array including #{items}", ->(other) { other.is_a?(Array) && (items.flatten - other).empty? })
  end

  class ExampleGroup
    include Mocks
  end
end
