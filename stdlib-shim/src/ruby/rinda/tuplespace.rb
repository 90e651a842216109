require "monitor"
require "rinda/rinda"

module Rinda
  # A tuple in a space: until when it is there, and whether it was taken back.
  class TupleEntry
    include DRb::DRbUndumped
    attr_accessor :expires

    def initialize(ary, sec = nil)
      @cancel = false
      @expires = nil
      @tuple = make_tuple(ary)
      @renewer = nil
      renew(sec)
    end

    def cancel
      @cancel = true
    end
    def alive? = !canceled? && !expired?
    def value = @tuple.value
    def canceled? = @cancel
    def expired?
      return true unless @expires
      return false if @expires > Time.now
      return true if @renewer.nil?
      renew(@renewer)
      return true unless @expires
      @expires < Time.now
    end

    # Lives for some more seconds, or as long as the renewer says.
    def renew(sec_or_renewer)
      sec, @renewer = get_renewer(sec_or_renewer)
      @expires = make_expires(sec)
    end

    def make_expires(sec = nil)
      case sec
      when Numeric then Time.now + sec
      when true then Time.at(1)
      when nil then Time.at(2**31 - 1)
      end
    end

    def [](key) = @tuple[key]
    def fetch(key) = @tuple.fetch(key)
    def size = @tuple.size
    def make_tuple(ary) = Rinda::Tuple.new(ary)

    private

    def get_renewer(given)
      case given
      when Numeric, true, nil then [given, nil]
      else
        begin
          [given.renew, given]
        rescue StandardError
          [given, nil]
        end
      end
    end
  end

  # A template in a space.
  class TemplateEntry < TupleEntry
    def match(tuple) = @tuple.match(tuple)
    alias === match
    def make_tuple(ary) = Rinda::Template.new(ary)
  end

  # A template that someone waits with.
  class WaitTemplateEntry < TemplateEntry
    attr_reader :found

    def initialize(place, ary, expires = nil)
      super(ary, expires)
      @place = place
      @cond = place.new_cond
      @found = nil
    end

    def cancel
      super
      signal
    end
    def wait = @cond.wait
    def read(tuple)
      @found = tuple
      signal
    end
    def signal
      @place.synchronize { @cond.signal }
    end
  end

  # A template that tells what happens to tuples that it takes: pairs of `write`, `take`, `delete` or `close`, and the tuple.
  class NotifyTemplateEntry < TemplateEntry
    def initialize(place, event, tuple, expires = nil)
      super([event, Rinda::Template.new(tuple)], expires)
      @queue = Thread::Queue.new
      @done = false
    end

    def notify(event) = @queue.push(event)
    def pop
      raise RequestExpiredError if @done
      event = @queue.pop
      @done = true if event[0] == "close"
      event
    end
    def each
      until @done
        event = pop
        yield(event)
      end
    rescue RequestExpiredError
      nil
    ensure
      cancel
    end
  end

  # Tuples by their first value.
  class TupleBag
    class TupleBin
      def initialize
        @bin = []
      end
      def add(tuple) = @bin.push(tuple)
      def delete(tuple)
        at = @bin.rindex(tuple)
        @bin.delete_at(at) if at
      end
      def empty? = @bin.empty?
      def find(&) = @bin.reverse_each.find(&)
      def find_all(&) = @bin.select(&)
      def each(&) = @bin.each(&)
      def delete_if(&) = @bin.delete_if(&)
    end

    def initialize
      @hash = {}
    end

    def has_expires? = each_entry.find(&:expires)
    def push(tuple) = (@hash[bin_key(tuple)] ||= TupleBin.new).add(tuple)
    def delete(tuple)
      key = bin_key(tuple)
      bin = @hash[key] or return nil
      bin.delete(tuple)
      @hash.delete(key) if bin.empty?
      tuple
    end

    # Those that are alive.
    def find_all(template) = bin_for_find(template).find_all { |tuple| tuple.alive? && template.match(tuple) }
    def find(template) = bin_for_find(template).find { |tuple| tuple.alive? && template.match(tuple) }
    def find_all_template(tuple) = each_entry.select { |template| template.alive? && template.match(tuple) }

    # Takes out what is not alive any more, and gives it.
    def delete_unless_alive
      deleted = []
      @hash.each_value do |bin|
        bin.delete_if { |tuple| !tuple.alive? && deleted.push(tuple) }
      end
      deleted
    end

    private

    def each_entry(&block)
      return enum_for(:each_entry) unless block
      @hash.each_value { |bin| bin.each(&block) }
    end

    def bin_key(tuple)
      head = tuple[0]
      head.instance_of?(Symbol) ? head : false
    end

    def bin_for_find(template)
      key = bin_key(template)
      key ? @hash.fetch(key, []) : each_entry
    end
  end

  # A space of tuples that programs write to, read from and take from.
  class TupleSpace
    include DRb::DRbUndumped
    include MonitorMixin

    # `period`: after how many seconds what has expired is looked for.
    def initialize(period = 60)
      super()
      @bag = TupleBag.new
      @read_waiter = TupleBag.new
      @take_waiter = TupleBag.new
      @notify_waiter = TupleBag.new
      @period = period
      @keeper = nil
    end

    def write(tuple, sec = nil)
      entry = create_entry(tuple, sec)
      synchronize do
        if entry.expired?
          @read_waiter.find_all_template(entry).each { |template| template.read(tuple) }
          notify_event("write", entry.value)
          notify_event("delete", entry.value)
        else
          @bag.push(entry)
          start_keeper if entry.expires
          @read_waiter.find_all_template(entry).each { |template| template.read(tuple) }
          @take_waiter.find_all_template(entry).each(&:signal)
          notify_event("write", entry.value)
        end
      end
      entry
    end

    def take(tuple, sec = nil, &block) = move(nil, tuple, sec, &block)

    # Takes a tuple, once the port has it.
    def move(port, tuple, sec = nil)
      template = WaitTemplateEntry.new(self, tuple, sec)
      yield(template) if block_given?
      synchronize do
        entry = @bag.find(template)
        return handed(port, entry) if entry
        raise RequestExpiredError if template.expired?
        begin
          @take_waiter.push(template)
          start_keeper if template.expires
          loop do
            raise RequestCanceledError if template.canceled?
            raise RequestExpiredError if template.expired?
            entry = @bag.find(template)
            return handed(port, entry) if entry
            template.wait
          end
        ensure
          @take_waiter.delete(template)
        end
      end
    end

    def read(tuple, sec = nil)
      template = WaitTemplateEntry.new(self, tuple, sec)
      yield(template) if block_given?
      synchronize do
        entry = @bag.find(template)
        return entry.value if entry
        raise RequestExpiredError if template.expired?
        begin
          @read_waiter.push(template)
          start_keeper if template.expires
          template.wait
          raise RequestCanceledError if template.canceled?
          raise RequestExpiredError if template.expired?
          return template.found
        ensure
          @read_waiter.delete(template)
        end
      end
    end

    def read_all(tuple)
      template = WaitTemplateEntry.new(self, tuple, nil)
      synchronize { @bag.find_all(template).map(&:value) }
    end

    def notify(event, tuple, sec = nil)
      template = NotifyTemplateEntry.new(self, event, tuple, sec)
      synchronize { @notify_waiter.push(template) }
      template
    end

    private

    def create_entry(tuple, sec) = TupleEntry.new(tuple, sec)

    def handed(port, entry)
      port&.push(entry.value)
      @bag.delete(entry)
      notify_event("take", entry.value)
      port ? nil : entry.value
    end

    # What has expired goes, and those that wait for it are told.
    def keep_clean
      synchronize do
        [@read_waiter, @take_waiter].each { |waiters| waiters.delete_unless_alive.each(&:signal) }
        @notify_waiter.delete_unless_alive.each { |template| template.notify(["close"]) }
        @bag.delete_unless_alive.each { |entry| notify_event("delete", entry.value) }
      end
    end

    def notify_event(event, tuple)
      happened = [event, tuple]
      @notify_waiter.find_all_template(happened).each { |template| template.notify(happened) }
    end

    def start_keeper
      return if @keeper&.alive?
      @keeper = Thread.new do
        loop do
          sleep(@period)
          synchronize do
            break unless need_keeper?
            keep_clean
          end
        end
      end
    end

    def need_keeper? = [@bag, @read_waiter, @take_waiter, @notify_waiter].any?(&:has_expires?)
  end
end
