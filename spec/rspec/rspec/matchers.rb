# `expect(value).to matcher` and the matchers. A matcher answers `matches?(actual)` and `failure(negated)`; it is also a pattern (`===`).
module RSpec
  module Expectations
    class ExpectationNotMetError < Exception; end

    class Target
      def initialize(actual, block) = (@actual, @block = actual, block)

      def to(matcher = nil, message = nil, &block)
        return Matchers::Operators.new(@actual) unless matcher
        return matcher.install(@actual, expected: true, &block) if matcher.is_a?(Mocks::Receive)
        met?(matcher, &block) || fail_with(message || matcher.failure(false))
        true
      end

      def not_to(matcher, message = nil, &block)
        return matcher.never.install(@actual, expected: true, &block) if matcher.is_a?(Mocks::Receive)
        !met?(matcher, true, &block) || fail_with(message || matcher.failure(true))
        true
      end
      alias to_not not_to

      private

      def met?(matcher, negated = false, &block)
        matcher.given_block = block if block && matcher.respond_to?(:given_block=)
        subject = @block || @actual
        negated && matcher.respond_to?(:does_not_match?) ? !matcher.does_not_match?(subject) : matcher.matches?(subject)
      end

      def fail_with(text) = raise(ExpectationNotMetError, text.respond_to?(:call) ? text.call : text)
    end
  end

  module Matchers
    # Whether a value is as expected; expectations may hold matchers at any depth.
    def self.fits?(expected, actual)
      return true if expected.equal?(actual)
      if expected.is_a?(Hash) && actual.is_a?(Hash)
        return expected == actual || (expected.size == actual.size && expected.all? { |key, value| actual.key?(key) && fits?(value, actual[key]) })
      end
      if expected.is_a?(Array) && actual.is_a?(Array)
        return expected == actual || (expected.size == actual.size && expected.zip(actual).all? { |each, other| fits?(each, other) })
      end
      expected == actual || expected === actual
    end

    class Matcher
      attr_writer :given_block

      def self.named(text, *fields, &test)
        Class.new(self) do
          define_method(:initialize) { |*args, **options, &block| (@args, @options, @block, @text = args, options, block, text) }
          define_method(:matches?) { |actual| instance_exec(@actual = actual, *@args, &test) }
        end
      end

      def ===(other) = matches?(other)
      def description = "#{@text} #{(@args || []).map(&:inspect).join(", ")}".strip
      def inspect = description
      def failure(negated) = "expected #{@actual.inspect}#{" not" if negated} to #{description}"
      def failure_message = failure(false)
      def failure_message_when_negated = failure(true)
      def and(other) = Compound.new(self, other, :all?)
      alias & and
      def or(other) = Compound.new(self, other, :any?)
      alias | or
      def supports_block_expectations? = true
      def fits?(expected, actual) = Matchers.fits?(expected, actual)
    end

    class Compound < Matcher
      def initialize(left, right, how) = (@parts, @how = [left, right], how)
      def matches?(actual) = @parts.public_send(@how) { |each| each.matches?(actual) }
      def failure(negated) = @parts.map { |each| each.failure(negated) }.join("\n")
      def description = @parts.map(&:description).join(@how == :all? ? " and " : " or ")
    end

    Eq = Matcher.named("eq") { |actual, expected| actual == expected }
    Eql = Matcher.named("eql") { |actual, expected| actual.eql?(expected) }
    Equal = Matcher.named("be the very") { |actual, expected| expected.equal?(actual) }
    Truthy = Matcher.named("be truthy") { |actual| actual ? true : false }
    Falsey = Matcher.named("be falsey") { |actual| !actual }
    Null = Matcher.named("be nil") { |actual| actual.nil? }
    KindOf = Matcher.named("be a kind of") { |actual, kind| kind === actual || actual.is_a?(kind) }
    InstanceOf = Matcher.named("be an instance of") { |actual, kind| actual.instance_of?(kind) }
    StartWith = Matcher.named("start with") { |actual, *parts| actual.is_a?(String) ? actual.start_with?(*parts) : fits?(parts, actual.first(parts.size)) }
    EndWith = Matcher.named("end with") { |actual, *parts| actual.is_a?(String) ? actual.end_with?(*parts) : fits?(parts, actual.last(parts.size)) }
    Exist = Matcher.named("exist") { |actual, *args| %i{exist? exists?}.any? { |name| actual.respond_to?(name) && actual.public_send(name, *args) } }
    Cover = Matcher.named("cover") { |actual, *values| values.all? { |value| actual.cover?(value) } }
    Satisfy = Matcher.named("satisfy the block") { |actual| (@block || @given_block).call(actual) }
    All = Matcher.named("all") { |actual, matcher| actual.all? { |each| fits?(matcher, each) } }
    Match = Matcher.named("match") do |actual, expected|
      expected.is_a?(Regexp) || actual.is_a?(Regexp) ? !actual.nil? && !!(actual.respond_to?(:match) ? actual.match(expected) : expected.match(actual.to_s)) : (actual.is_a?(String) && expected.is_a?(String) ? actual.match?(expected) : fits?(expected, actual))
    end
    HaveAttributes = Matcher.named("have attributes") { |actual, *| @options.all? { |name, value| actual.respond_to?(name) && fits?(value, actual.public_send(name)) } }
    Include = Matcher.named("include") do |actual, *parts|
      parts << @options unless @options.empty?
      parts.all? { |part| Matchers.holds?(actual, part) }
    end
    class Include
      def description = "include #{[*@args, *(@options.empty? ? [] : [@options])].map(&:inspect).join(", ")}"
      def does_not_match?(actual)
        @actual = actual
        parts = @args + (@options.empty? ? [] : [@options])
        parts.none? { |part| part.is_a?(Hash) && actual.is_a?(Hash) ? part.any? { |key, value| actual.key?(key) && fits?(value, actual[key]) } : Matchers.holds?(actual, part) }
      end
    end
    def self.holds?(actual, part)
      if part.is_a?(Hash) && actual.respond_to?(:key?)
        return part.all? { |key, value| actual.key?(key) && fits?(value, actual[key]) }
      end
      return actual.key?(part) || actual.keys.any? { |key| fits?(part, key) } if actual.is_a?(Hash)
      return false if actual.nil?
      return actual.match?(part) if actual.is_a?(String) && part.is_a?(Regexp)
      (!part.is_a?(Matcher) && actual.include?(part)) || (!actual.is_a?(String) && actual.respond_to?(:any?) && actual.any? { |each| fits?(part, each) })
    end

    # Negation of several parts means none of them, whence the method of its own.
    class ContainExactly < Matcher
      def initialize(items) = @items = items

      def matches?(actual)
        @actual = actual
        return false unless actual.respond_to?(:to_a) && !actual.is_a?(Hash) || actual.is_a?(Array)
        rest = actual.to_a.dup
        @lacking = @items.reject do |item|
          at = rest.index { |each| item == each } || rest.index { |each| fits?(item, each) }
          rest.delete_at(at) if at
          at
        end
        @extra = rest
        @lacking.empty? && rest.empty?
      end

      def description = "contain exactly #{@items.inspect}#{" (lacking #{@lacking.inspect}, extra #{@extra.inspect})" if @lacking}"
    end

    class Be < Matcher
      def initialize(*args) = @args = args

      def matches?(actual)
        @actual = actual
        return @args.first.equal?(actual) unless @args.empty?
        @operator ? actual.public_send(@operator, @operand) : (actual ? true : false)
      end

      %i{< <= > >= == != =~}.each do |operator|
        define_method(operator) do |operand|
          @operator, @operand = operator, operand
          self
        end
      end
      def description = "be #{@operator} #{@args.empty? ? @operand.inspect : @args.first.inspect}"
    end

    class Operators
      def initialize(actual) = @actual = actual
      %i{== =~ < > <= >=}.each { |name| define_method(name) { |other| @actual.public_send(name, other) || raise(Expectations::ExpectationNotMetError, "expected #{@actual.inspect} #{name} #{other.inspect}") } }
    end

    class Within < Matcher
      def initialize(delta) = @delta = delta
      def of(expected) = tap { @expected = expected }
      def percent_of(expected) = tap { (@expected, @delta = expected, @delta * expected.abs / 100.0) }
      def matches?(actual) = (@actual = actual).respond_to?(:-) && (actual - @expected).abs <= @delta
      def description = "be within #{@delta} of #{@expected}"
    end

    class Between < Matcher
      def initialize(low, high) = (@low, @high = low, high)
      def inclusive = self
      def exclusive = tap { @open = true }
      def matches?(actual) = ((@actual = actual) > @low || (!@open && actual == @low)) && (actual < @high || (!@open && actual == @high))
      def description = "be between #{@low} and #{@high}"
    end

    class RespondTo < Matcher
      def initialize(*names) = @names = names
      def with(count = nil, *) = tap { @count = count }
      def argument = self
      alias arguments argument
      def and_keywords(*) = self

      def matches?(actual)
        @actual = actual
        @names.all? { |name| actual.respond_to?(name) && (@count.nil? || actual.method(name).then { |found| found.arity == @count || (found.arity.negative? && -found.arity - 1 <= @count) }) }
      end

      def description = "respond to #{@names.map(&:inspect).join(", ")}"
    end

    # `be_x` asks `x?`, `have_x` asks `has_x?`.
    class Predicate < Matcher
      def initialize(name, candidates, args, options, block) = (@name, @candidates, @args, @options, @block = name, candidates, args, options, block)

      def matches?(actual)
        @actual = actual
        predicate = @candidates.find { |each| actual.respond_to?(each) }
        @missing = predicate.nil?
        raise Expectations::ExpectationNotMetError, "expected #{actual.inspect} to respond to #{@candidates.first}" if @missing
        @options.empty? ? actual.public_send(predicate, *@args, &@block) : actual.public_send(predicate, *@args, **@options, &@block)
      end

      def description = @name.to_s.tr("_", " ")
    end

    class RaiseError < Matcher
      def initialize(kind, text, block)
        kind, text = Exception, kind if kind.is_a?(String) || kind.is_a?(Regexp) || (kind.is_a?(Matcher))
        @kind, @expected, @block = kind || Exception, text, block
      end

      def with_message(text) = tap { @expected = text }
      def given_block=(block)
        @block ||= block
      end

      def matches?(actual)
        @raised = nil
        actual.call
        false
      rescue Exception => e
        raise if e.is_a?(Skipped)
        @raised = e
        return false unless @kind === e && (@expected.nil? || (@expected.is_a?(Regexp) ? @expected.match?(e.message.to_s) : fits?(@expected, e.message)))
        @block&.call(e)
        true
      end

      def description = "raise #{@kind.inspect}#{" with #{@expected.inspect}" if @expected}"
      def failure(negated) = "expected#{" no" if negated} #{description.delete_prefix("raise ")} but #{@raised ? "got #{@raised.class}: #{@raised.message}\n    #{Array(@raised.backtrace).first(4).join("\n    ")}" : "nothing was raised"}"
    end

    class ThrowSymbol < Matcher
      def initialize(name, value) = (@name, @value = name, value)

      def matches?(actual)
        thrown = true
        found = catch(@name || :__none) do
          actual.call
          thrown = false
        end
        thrown && (@value.nil? || found == @value)
      rescue UncaughtThrowError
        @name.nil?
      end

      def description = "throw #{@name.inspect}"
    end

    class Change < Matcher
      def initialize(object, message, block) = @reader = block || -> { object.public_send(message) }
      def from(value) = tap { @from = [value] }
      def to(value) = tap { @to = [value] }
      def by(value) = tap { @by = [value] }
      def by_at_least(value) = tap { @least = value }
      def by_at_most(value) = tap { @most = value }

      def matches?(actual)
        @before = snapshot
        actual.call
        @after = snapshot
        return false if @from && !fits?(@from.first, @before)
        return false if @to && !fits?(@to.first, @after)
        return @after - @before == @by.first if @by
        return @after - @before >= @least if @least
        return @after - @before <= @most if @most
        @before != @after
      end

      def description = "change #{@from&.inspect} to #{@to&.inspect} by #{@by&.inspect} (was #{@before.inspect}, is #{@after.inspect})"

      private

      def snapshot
        value = @reader.call
        value.is_a?(Enumerable) || value.is_a?(String) ? value.dup : value
      end
    end

    class Output < Matcher
      def initialize(expected) = @expected = expected
      def to_stdout = tap { @stream = :stdout }
      def to_stderr = tap { @stream = :stderr }
      alias to_stdout_from_any_process to_stdout
      alias to_stderr_from_any_process to_stderr

      def matches?(actual)
        require "stringio"
        capture = StringIO.new
        before = @stream == :stderr ? $stderr : $stdout
        @stream == :stderr ? $stderr = capture : $stdout = capture
        begin
          actual.call
        ensure
          @stream == :stderr ? $stderr = before : $stdout = before
        end
        @actual = capture.string
        @expected.nil? ? !@actual.empty? : (@expected.is_a?(Regexp) ? @expected.match?(@actual) : fits?(@expected, @actual))
      end

      def description = "output #{@expected.inspect} to #{@stream}"
    end

    class Yields < Matcher
      def initialize(how, args) = (@how, @args = how, args)
      %i{once twice thrice}.each_with_index { |name, index| define_method(name) { tap { @count = index + 1 } } }
      def exactly(count) = tap { @count = count }
      def times = self

      def matches?(actual)
        @calls = []
        calls = @calls
        actual.call(->(*args) { calls << args }.then { |probe| proc { |*args| probe.call(*args) } })
        case @how
        when :control then @count ? calls.size == @count : !calls.empty?
        when :args then !calls.empty? && (@args.empty? || fits?(@args, calls.first))
        when :none then !calls.empty? && calls.first.empty?
        when :successive then fits?(@args, calls.map { |args| args.size == 1 ? args.first : args })
        end
      end

      def description = "yield #{@how} #{@args.inspect} (yielded #{@calls.inspect})"
    end

    # `RSpec::Matchers.define :name do |expected| match { |actual| … } end`
    class Defined < Matcher
      def initialize(name, args, body, context)
        @name, @args, @context = name, args, context
        instance_exec(*args, &body)
      end

      attr_reader :actual
      def expected = @args.size == 1 ? @args.first : @args
      def match(**, &block) = @match = block
      def match_when_negated(**, &block) = @refuse = block
      def match_unless_raises(*kinds, &block) = @match = ->(actual) { instance_exec(actual, &block) || true rescue kinds.none? { |kind| kind === $! } }
      def diffable = self
      def supports_block_expectations = nil
      def description(&block) = block ? @description = block : (@description ? instance_exec(&@description) : "#{@name} #{@args.map(&:inspect).join(", ")}")
      def failure_message(&block) = block ? @message = block : failure(false)
      def failure_message_when_negated(&block) = block ? @negated = block : failure(true)
      alias failure_message_for_should failure_message
      alias failure_message_for_should_not failure_message_when_negated
      def chain(name, *, &block) = define_singleton_method(name) { |*args| instance_exec(*args, &block); self }
      def matches?(actual) = instance_exec(@actual = actual, &@match)
      def does_not_match?(actual) = @refuse ? instance_exec(@actual = actual, &@refuse) : !matches?(actual)
      def failure(negated) = (text = negated ? @negated : @message) ? instance_exec(@actual, &text) : super
      def method_missing(name, ...) = @context && @context.respond_to?(name, true) ? @context.__send__(name, ...) : super
      def respond_to_missing?(name, all = false) = @context&.respond_to?(name, all) || super
    end

    def self.define(name, &body) = define_method(name) { |*args| Defined.new(name, args, body, self) }
    def self.define_negated_matcher(name, base) = define_method(name) { |*args, **options, &block| Not.new(options.empty? ? __send__(base, *args, &block) : __send__(base, *args, **options, &block)) }
    def self.alias_matcher(name, base) = alias_method(name, base)

    class Not < Matcher
      def initialize(inner) = @inner = inner
      def matches?(actual) = @inner.respond_to?(:does_not_match?) ? @inner.does_not_match?(actual) : !@inner.matches?(actual)
      def failure(negated) = @inner.failure(!negated)
      def description = "not #{@inner.description}"
    end

    NONE = Object.new.freeze
    def expect(actual = NONE, &block) = Expectations::Target.new(NONE.equal?(actual) ? nil : actual, block)
    def eq(value) = Eq.new(value)
    def eql(value) = Eql.new(value)
    def equal(value) = Equal.new(value)
    def be(*value) = Be.new(*value)
    def be_truthy = Truthy.new
    def be_falsey = Falsey.new
    alias be_falsy be_falsey
    def be_nil = Null.new
    def be_a(kind) = KindOf.new(kind)
    alias be_an be_a
    alias be_kind_of be_a
    alias be_a_kind_of be_a
    alias a_kind_of be_a
    alias an_kind_of be_a
    def be_instance_of(kind) = InstanceOf.new(kind)
    alias be_an_instance_of be_instance_of
    alias an_instance_of be_instance_of
    alias instance_of be_instance_of
    def be_within(delta) = Within.new(delta)
    alias a_value_within be_within
    def be_between(low, high) = Between.new(low, high)
    def match(pattern) = Match.new(pattern)
    alias a_string_matching match
    alias matching match
    alias match_regex match
    def match_array(items) = ContainExactly.new(items.to_a)
    def contain_exactly(*items) = ContainExactly.new(items)
    alias a_collection_containing_exactly contain_exactly
    alias containing_exactly contain_exactly
    def include(*parts, **pairs) = Include.new(*parts, **pairs)
    alias a_string_including include
    alias a_hash_including include
    alias a_collection_including include
    alias including include
    def start_with(*parts) = StartWith.new(*parts)
    alias a_string_starting_with start_with
    def end_with(*parts) = EndWith.new(*parts)
    alias a_string_ending_with end_with
    def respond_to(*names) = RespondTo.new(*names)
    alias an_object_responding_to respond_to
    def have_attributes(**pairs) = HaveAttributes.new(**pairs)
    alias an_object_having_attributes have_attributes
    def satisfy(*, &block) = Satisfy.new(&block)
    alias an_object_satisfying satisfy
    def all(matcher) = All.new(matcher)
    def cover(*values) = Cover.new(*values)
    def exist(*args) = Exist.new(*args)
    def raise_error(kind = nil, text = nil, &block) = RaiseError.new(kind, text, block)
    alias raise_exception raise_error
    def throw_symbol(name = nil, value = nil) = ThrowSymbol.new(name, value)
    def change(object = nil, message = nil, &block) = Change.new(object, message, block)
    def output(text = nil) = Output.new(text)
    def yield_control = Yields.new(:control, [])
    def yield_with_args(*args) = Yields.new(:args, args)
    def yield_with_no_args = Yields.new(:none, [])
    def yield_successive_args(*args) = Yields.new(:successive, args)

    def method_missing(name, *args, **options, &block)
      text = name.to_s
      candidates = case text
                   when /\Abe_(an?_)?(\w+)\z/ then [$1 && "#{$2}?", "#{text.delete_prefix("be_")}?", "#{$2}?", "#{$2}s?"].compact.uniq
                   when /\Ahave_(\w+)\z/ then ["has_#{$1}?"]
                   end
      candidates ? Predicate.new(name, candidates, args, options, block) : super
    end

    def respond_to_missing?(name, all = false) = name.start_with?("be_", "have_") || super
  end

  class ExampleGroup
    include Matchers
  end
end
