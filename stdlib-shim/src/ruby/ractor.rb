# Ractor: blocks that run on threads of their own and pass each other messages. Objects are not kept apart, but what is sent is copied or moved as
# Ruby says, and what is shareable is found in the same way.
class Ractor
  class Error < StandardError; end
  class ClosedError < StopIteration; end
  class RemoteError < Error
    attr_reader :ractor
    def initialize(message = nil, ractor: nil)
      super(message)
      @ractor = ractor
    end
  end
  class MovedError < Error; end
  class IsolationError < ArgumentError; end
  class UnsafeError < Error; end

  @count = 0
  @lock = Thread::Mutex.new

  class << self
    def current = Thread.current.group&.instance_variable_get(:@ractor) || main
    def main = @main ||= allocate.tap { |made| made.__send__(:prepare, nil) }
    def main? = current.equal?(main)
    def count = [main, *@running].size

    def receive = current.__send__(:receive)
    alias recv receive
    def yield(value, move: false) = current.__send__(:give, value)

    def select(*ractors, **)
      loop do
        ractors.each { |ractor| return [ractor, ractor.take] if ractor.__send__(:ready?) }
        Thread.pass
      end
    end

    # Frozen all the way down.
    def shareable?(object, seen = {}.compare_by_identity)
      return true if seen.key?(object) || object.is_a?(Module) || object.is_a?(Ractor)
      return false unless object.frozen?
      seen[object] = true
      parts(object).all? { |part| shareable?(part, seen) }
    end

    def make_shareable(object, copy: false)
      object = Marshal.load(Marshal.dump(object)) if copy && !shareable?(object)
      freeze_all(object, {}.compare_by_identity)
      object
    end

    def register(ractor, running)
      @lock.synchronize do
        @running ||= []
        running ? @running << ractor : @running.delete(ractor)
      end
    end

    def next_id = @lock.synchronize { @count += 1 }

    private

    def freeze_all(object, seen)
      return if seen.key?(object) || object.is_a?(Module) || object.is_a?(Ractor)
      seen[object] = true
      object.freeze
      parts(object).each { |part| freeze_all(part, seen) }
    end

    def parts(object)
      own = object.instance_variables.map { |name| object.instance_variable_get(name) }
      own + case object
            when Array then object
            when Hash then object.to_a.flatten(1) << object.default
            when Struct then object.to_a
            when Range then [object.begin, object.end]
            else []
            end
    end
  end

  def self.new(*args, name: nil, &block)
    raise ArgumentError, "must be called with a block" unless block
    raise ArgumentError, "name should be String (#{name.class} given)" unless name.nil? || name.is_a?(String)
    unless @warned
      @warned = true
      warn "#{block.source_location&.join(":")}: warning: Ractor is experimental, and the behavior may change in future versions of Ruby! Also there are many implementation issues.", category: :experimental
    end
    allocate.tap { |made| made.__send__(:begin_with, args, name, block) }
  end

  attr_reader :name

  def send(value, move: false)
    raise ClosedError, "The incoming-port is already closed" if @incoming.closed?
    @incoming << copied(value)
    self
  end
  alias << send

  # What the block has yielded, or at last its value.
  def take
    kind, value = @outgoing.pop
    case kind
    when :value then value
    when :last
      @outgoing.close
      value
    when :error
      @outgoing.close
      raise RemoteError.new("thrown by remote Ractor.", ractor: self), cause: value
    else raise ClosedError, "The outgoing-port is already closed"
    end
  end

  def [](key) = @locals[key.to_sym]

  def []=(key, value)
    @locals[key.to_sym] = value
  end

  def close_incoming = @incoming.closed?.tap { @incoming.close }
  def close_outgoing = @outgoing.closed?.tap { @outgoing.close }
  def inspect = "#<Ractor:##{@id}#{" #{@place}" if @place}#{" #{@name}" if @name} #{@thread&.alive? == false ? "terminated" : "running"}>"
  alias to_s inspect

  private

  def prepare(name)
    @id, @name, @locals = Ractor.next_id, name, {}
    @incoming, @outgoing = Thread::Queue.new, Thread::Queue.new
  end

  def begin_with(args, name, block)
    prepare(name)
    @place = block.source_location&.join(":")
    given = args.map { |arg| copied(arg) }
    Ractor.register(self, true)
    @thread = Thread.new do
      Thread.current.report_on_exception = false
      # threads that it starts are in its group
      (group = ThreadGroup.new).instance_variable_set(:@ractor, self)
      group.add(Thread.current)
      @outgoing << [:last, instance_exec(*given, &block)]
    rescue Exception => error
      @outgoing << [:error, error]
    ensure
      (group.list - [Thread.current]).each(&:kill).each(&:join)
      @incoming.close
      Ractor.register(self, false)
    end
  end

  def receive = @incoming.pop || (@incoming.closed? ? raise(ClosedError, "The incoming port is already closed") : nil)
  def ready? = !@outgoing.empty?

  def give(value)
    @outgoing << [:value, copied(value)]
    nil
  end

  def copied(value) = Ractor.shareable?(value) ? value : Marshal.load(Marshal.dump(value))
end
