# What is built on distributed objects: gateways, services started when they are asked for, observers.
require "drb/drb"
require "monitor"
require "observer"

module DRb
  # Hands objects of other processes on to third ones.
  class GWIdConv < DRbIdConv
    def to_obj(ref)
      return DRbObject.new_with(*ref[1]) if Array === ref && ref[0] == :DRbObject
      super
    end
  end

  # A table of objects that several processes share.
  class GW
    include MonitorMixin

    def initialize
      super()
      @hash = {}
    end
    def [](key) = synchronize { @hash[key] }
    def []=(key, value)
      synchronize { @hash[key] = value }
    end
  end

  # Observers in other processes: one that is gone is forgotten.
  module DRbObservable
    include Observable

    def notify_observers(*arg)
      return unless defined?(@observer_state) && @observer_state
      @observer_peers&.each_key do |observer|
        observer.__send__(@observer_peers[observer], *arg)
      rescue StandardError
        delete_observer(observer)
      end
      @observer_state = false
    end
  end

  # A service that another process started, and that tells it where it is.
  class ExtServ
    include MonitorMixin
    include DRbUndumped
    attr_reader :server

    def initialize(there, name, server = nil)
      super()
      @server = server || DRb.primary_server
      @name = name
      ro = DRbObject.new(nil, there)
      synchronize { @invoker = ro.regist(name, DRbObject.new(self, @server.uri)) }
    end

    def front = DRbObject.new(nil, @server.uri)
    def stop_service
      synchronize do
        @invoker.unregist(@name)
        server = @server
        @server = nil
        server.stop_service
        true
      end
    end
    def alive? = @server ? @server.alive? : false
  end

  # Starts services when they are asked for.
  class ExtServManager
    include MonitorMixin
    include DRbUndumped

    @@command = {}
    def self.command = @@command
    def self.command=(command)
      @@command = command
    end

    attr_accessor :uri

    def initialize
      super()
      @cond = new_cond
      @servers = {}
      @waiting = []
      @queue = Thread::Queue.new
      @thread = Thread.new { loop { invoke_service_command(*@queue.pop) } }
      @uri = nil
    end

    def service(name)
      synchronize do
        loop do
          server = @servers[name]
          return server if server&.alive?
          invoke_service(name)
          @cond.wait
        end
      end
    end

    def regist(name, ro)
      synchronize do
        @servers[name] = ro
        @cond.signal
      end
      self
    end
    def unregist(name) = synchronize { @servers.delete(name) }

    private

    def invoke_service(name)
      return if @servers.key?(name) && @servers[name] == false
      @servers[name] = false
      @queue.push([name, @@command[name]])
    end

    def invoke_service_command(name, command)
      uri = @uri || DRb.uri
      pid =
        if command.is_a?(Array) then Process.spawn(*command, uri, name)
        else Process.spawn("#{command} #{uri} #{name}")
        end
      Process.detach(pid)
    end
  end

  # Ids that are known for a while after they were last used.
  class TimerIdConv < DRbIdConv
    class TimerHolder2
      include MonitorMixin

      class InvalidIndexError < RuntimeError; end

      def initialize(keeping = 600)
        super()
        @sentinel = Object.new
        @gc = {}
        @renew = {}
        @keeping = keeping
        @expires = Time.now + @keeping
      end

      def add(object)
        synchronize do
          rotate
          key = object.__id__
          @renew[key] = object
          key
        end
      end

      def fetch(key, default = @sentinel)
        synchronize do
          rotate
          found = @renew.fetch(key) { @gc.fetch(key) { default } }
          raise InvalidIndexError if found.equal?(@sentinel)
          @renew[key] = found
        end
      end

      private

      # What was not used for as long as two periods is forgotten.
      def rotate
        return if Time.now < @expires
        @gc = Time.now < @expires + @keeping ? @renew : {}
        @renew = {}
        @expires = Time.now + @keeping
      end
    end

    def initialize(keeping = 600)
      super()
      @holder = TimerHolder2.new(keeping)
    end

    def to_obj(ref)
      return super if ref.nil?
      @holder.fetch(ref)
    rescue TimerHolder2::InvalidIndexError
      raise "invalid reference"
    end
    def to_id(object) = @holder.add(object)
  end

  # Ids of objects that nothing here keeps alive.
  class WeakIdConv < DRbIdConv
    def initialize
      super
      @known = ObjectSpace::WeakMap.new
      @lock = Monitor.new
    end

    def to_id(object)
      @lock.synchronize { @known[object.__id__] = object }
      object.__id__
    end
    def to_obj(ref)
      return super if ref.nil?
      @lock.synchronize { @known[ref] } or raise RangeError, "invalid reference"
    end
  end
end

# The conversion of ids that programs may name.
DRbIdConv = DRb::DRbIdConv unless defined?(DRbIdConv)
