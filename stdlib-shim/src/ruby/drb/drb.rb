require "socket"
require "io/wait"
require "monitor"

# Methods of objects in other processes, called over a connection: requests and replies are marshalled, what cannot be is passed by reference.
module DRb
  class DRbError < RuntimeError; end
  class DRbConnError < DRbError; end
  class DRbServerNotFound < DRbError; end
  class DRbBadURI < DRbError; end
  class DRbBadScheme < DRbError; end

  # An exception of the other side that has no class here, or cannot be marshalled.
  class DRbRemoteError < DRbError
    attr_reader :reason

    def initialize(error)
      @reason = error.class.to_s
      super("#{error.message} (#{error.class})")
      set_backtrace(error.backtrace)
    end
  end

  # A reply that could not be read here.
  class DRbUnknownError < DRbError
    attr_reader :unknown

    def initialize(unknown)
      @unknown = unknown
      super(unknown.name)
    end

    def self._load(text) = Marshal.load(text)
    def _dump(_level) = Marshal.dump(@unknown)
  end

  # Marshalled data of a class that is not known here.
  class DRbUnknown
    attr_reader :name, :buf

    def initialize(error, data)
      @name = error.message[/undefined class\/module (\S+?)\.?\z/, 1] || error.message
      @buf = data
    end

    def self._load(text)
      Marshal.load(text)
    rescue NameError, ArgumentError
      DRbUnknown.new($!, text)
    end

    def _dump(_level) = @buf
    def exception = DRbUnknownError.new(self)
    def reload = self.class._load(@buf)
  end

  # Objects with this module are passed by reference.
  module DRbUndumped
    def _dump(_level) = raise(TypeError, "can't dump")
  end

  # What an object is known by on the other side.
  class DRbIdConv
    def initialize
      @known = {}
      @lock = Monitor.new
    end

    def to_id(object)
      return nil if object.nil?
      @lock.synchronize { @known[object.__id__] = object }
      object.__id__
    end

    def to_obj(id) = @lock.synchronize { @known.fetch(id) { raise RangeError, "#{id.inspect} is recycled object" } }
  end

  # Stands for an object of another process.
  class DRbObject
    def self._load(text)
      uri, ref = Marshal.load(text)
      DRb.here?(uri) ? DRb.to_obj(ref) : new_with(uri, ref)
    end

    def self.new_with(uri, ref)
      made = allocate
      made.instance_variable_set(:@uri, uri)
      made.instance_variable_set(:@ref, ref)
      made
    end

    def self.new_with_uri(uri) = new(nil, uri)

    def initialize(object, uri = nil)
      @uri = nil
      @ref = nil
      if nil.equal?(object)
        return unless uri
        @uri, option = DRbProtocol.uri_option(uri, DRb.config)
        @ref = DRbURIOption.new(option) unless option.nil?
      else
        @uri = uri || (DRb.uri rescue nil)
        @ref = DRb.to_id(object)
      end
    end

    # Runs the block as if in the process of the server with this address.
    def self.with_friend(uri)
      friend = DRb.fetch_server(uri) or return yield
      before, Thread.current[:DRb] = Thread.current[:DRb], { server: friend }
      begin
        yield
      ensure
        Thread.current[:DRb] = before
      end
    end

    def self.prepare_backtrace(uri, result)
      return [] unless result.is_a?(Exception) && result.backtrace
      result.backtrace.map { |line| line.start_with?("(druby:", "(drbunix:") ? line : "(#{uri}) #{line}" }
    end

    def __drburi = @uri
    def __drbref = @ref
    def _dump(_level) = Marshal.dump([@uri, @ref])

    undef :to_s
    undef :to_a if method_defined?(:to_a)

    def hash = [@uri, @ref].hash
    def ==(other) = other.is_a?(DRbObject) && [@uri, @ref] == [other.__drburi, other.__drbref]
    alias eql? ==

    def respond_to?(name, include_private = false)
      case name
      when :_dump then true
      when :marshal_dump, :marshal_load, :to_ary, :to_str, :to_hash, :to_io, :to_int then false
      else method_missing(:respond_to?, name, include_private)
      end
    end

    def method_missing(name, *args, &block)
      return DRb.to_obj(@ref).__send__(name, *args, &block) if DRb.here?(@uri)
      succeeded, result = DRbObject.with_friend(@uri) { DRbConn.open(@uri) { |conn| conn.send_message(self, name, args, block) } }
      return result if succeeded
      raise result if result.is_a?(DRbUnknown)
      result.set_backtrace(DRbObject.prepare_backtrace(@uri, result) + caller(1))
      raise result
    end
    ruby2_keywords :method_missing

    def pretty_print(printer) = printer.pp_object(self)
    def pretty_print_cycle(printer) = printer.object_address_group(self) { printer.breakable; printer.text("...") }
  end

  # The part of an address after `?`.
  class DRbURIOption
    attr_reader :option
    alias to_s option

    def initialize(option)
      @option = option.to_s
    end
    def ==(other) = other.is_a?(DRbURIOption) && @option == other.option
    alias eql? ==
    def hash = @option.hash
  end

  # Passes a list by value, and what in it cannot be marshalled by reference.
  class DRbArray
    def self._load(text) = Marshal.load(text)

    def initialize(list)
      @list = list.map { |item| dumpable(item) }
    end
    def _dump(_level) = Marshal.dump(@list)

    private

    def dumpable(item)
      return DRbObject.new(item) if item.is_a?(DRbUndumped)
      Marshal.dump(item)
      item
    rescue StandardError
      DRbObject.new(item)
    end
  end

  # Messages on a connection: each a length of four bytes and marshalled data.
  class DRbMessage
    LARGEST = 25 * 1024 * 1024
    private_constant :LARGEST

    def initialize(config)
      @load_limit = config[:load_limit] || LARGEST
      @argc_limit = config[:argc_limit] || 256
    end

    def dump(value, by_reference = false)
      value = DRbObject.new(value) if value.is_a?(DRbUndumped) || by_reference
      begin
        data = Marshal.dump(value)
      rescue StandardError
        data = Marshal.dump(DRbObject.new(value))
      end
      [data.bytesize].pack("N") << data
    end

    def load(stream)
      size = stream.read(4)
      raise DRbConnError, "connection closed" if size.nil?
      raise DRbConnError, "premature header" if size.size < 4
      size = size.unpack1("N")
      raise DRbConnError, "too large packet #{size}" if size > @load_limit
      data = stream.read(size)
      raise DRbConnError, "connection closed" if data.nil?
      raise DRbConnError, "premature marshal format(can't read)" if data.size < size
      DRb.mutex.synchronize { DRbUnknown._load(data) }
    end

    def send_request(stream, ref, msg_id, args, block)
      id = DRbObject === ref ? ref.__drbref : ref
      put(stream, [dump(id), dump(msg_id.id2name), dump(args.length), *args.map { |arg| dump(arg) }, dump(block, !block.nil?)])
    end

    def recv_request(stream)
      ref = load(stream)
      object = DRb.to_obj(ref)
      name, count = load(stream), load(stream)
      raise ArgumentError, "too many arguments" if count > @argc_limit
      args = Array.new(count) { load(stream) }
      [object, name, args, load(stream)]
    end

    def send_reply(stream, succeeded, result) = put(stream, [dump(succeeded), dump(result, !succeeded && !dumpable?(result))])
    def recv_reply(stream) = [load(stream), load(stream)]

    private

    def dumpable?(value) = Marshal.dump(value) && true rescue false

    def put(stream, parts)
      stream.write(parts.join)
    rescue StandardError => error
      raise DRbConnError, error.message, error.backtrace
    end
  end

  # The kinds of connections: which one takes an address.
  module DRbProtocol
    @kinds = []

    class << self
      def add_protocol(kind) = @kinds.push(kind)
      def open(uri, config, first = true) = tried(uri) { |kind| kind.open(uri, config) }
      def open_server(uri, config, first = true) = tried(uri) { |kind| kind.open_server(uri, config) }
      # The address without its option, and the option.
      def uri_option(uri, config, first = true)
        tried(uri) do |kind|
          found, option = kind.uri_option(uri, config)
          [found, option.to_s.empty? ? nil : option]
        end
      end
      def auto_load(uri)
        require("drb/#{$1}") if uri =~ /\Adrb([a-z0-9]+):/
      end

      private

      def tried(uri, again = true, &block)
        @kinds.each do |kind|
          return block.call(kind)
        rescue DRbBadScheme
          # the next one
        rescue DRbConnError, DRbBadURI
          raise
        rescue StandardError => error
          raise DRbConnError, "#{uri} - #{error.inspect}"
        end
        raise DRbBadURI, "can't parse uri:#{uri}" unless again
        begin
          auto_load(uri)
        rescue LoadError
          nil
        end
        tried(uri, false, &block)
      end
    end
  end

  # Connections by TCP: druby://HOST:PORT.
  class DRbTCPSocket
    attr_reader :uri

    class << self
      def parse_uri(uri)
        case uri
        when /\Adruby:\/\/([^:\/?]*|\[[^\]]*\]):(\d+)(?:\?(.*))?\z/ then [$1, Integer($2), $3]
        when /\Adruby:/ then raise DRbBadURI, "can't parse uri:#{uri}"
        else raise DRbBadScheme, uri
        end
      end

      def open(uri, config)
        host, port, = parse_uri(uri)
        new(uri, TCPSocket.open(host.empty? ? "localhost" : host, port), config)
      end

      def getservername = Socket.gethostname

      def open_server_inaddr_any(_host, port) = TCPServer.open(port)
      def open_server(uri, config)
        uri = "druby://:0" unless uri
        host, port, = parse_uri(uri)
        config = { tcp_original_host: host }.merge(config)
        server = host.empty? ? open_server_inaddr_any(getservername, port) : TCPServer.open(host, port)
        new("druby://#{host.empty? ? getservername : host}:#{server.addr[1]}", server, config)
      end

      def uri_option(uri, _config)
        host, port, option = parse_uri(uri)
        ["druby://#{host}:#{port}", option]
      end
    end

    def initialize(uri, socket, config = {})
      @uri = uri
      @socket = socket
      @config = config
      @acl = config[:tcp_acl]
      @msg = DRbMessage.new(config)
      set_sockopt(@socket)
    end

    def peeraddr = @socket.peeraddr
    def stream = @socket
    def send_request(ref, msg_id, args, block) = @msg.send_request(stream, ref, msg_id, args, block)
    def recv_request = @msg.recv_request(stream)
    def send_reply(succeeded, result) = @msg.send_reply(stream, succeeded, result)
    def recv_reply = @msg.recv_reply(stream)

    def close
      @socket&.close unless @socket&.closed?
      @socket = nil
    end
    def shutdown
      socket, @socket = @socket, nil
      socket&.close
    end

    # The next connection that is allowed.
    def accept
      loop do
        client = @socket.accept
        return self.class.new(nil, client, @config) if @acl.nil? || @acl.allow_socket?(client)
        client.close
      end
    end

    # Whether the other side has not closed it.
    def alive? = !@socket.nil? && !@socket.closed? && !@socket.wait_readable(0)

    def set_sockopt(socket)
      socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    rescue SystemCallError, IOError
      nil
    end
  end
  DRbProtocol.add_protocol(DRbTCPSocket)

  # A call of an object of another process. Connections stay open for further calls of a thread.
  class DRbConn
    POOL_SIZE = 16
    private_constant :POOL_SIZE
    attr_reader :uri

    # Runs the block with a connection to a server.
    def self.open(remote_uri)
      pool = make_pool
      conn = pool.delete([remote_uri, Process.pid])
      unless conn&.alive?
        conn&.close
        conn = new(remote_uri)
      end
      succeeded, result = yield(conn)
      [succeeded, result]
    ensure
      # a server closes the connection of a call that failed
      succeeded ? pool[[remote_uri, Process.pid]] = conn : conn&.close
      pool.shift[1].close if pool && pool.size > POOL_SIZE
    end

    # The open connections of a thread.
    def self.make_pool
      pool = Thread.current.thread_variable_get(:__drb_connections__) || {}
      Thread.current.thread_variable_set(:__drb_connections__, pool)
      pool
    end
    def self.stop_pool
      make_pool.each_value(&:close)
      make_pool.clear
    end

    def initialize(remote_uri)
      @uri = remote_uri
      @protocol = DRbProtocol.open(remote_uri, DRb.config)
    end

    def send_message(ref, msg_id, args, block)
      @protocol.send_request(ref, msg_id, args, block)
      @protocol.recv_reply
    rescue SystemCallError, IOError => error
      raise DRbConnError, error.message, error.backtrace
    end

    def close
      @protocol&.close
      @protocol = nil
    end
    def alive? = @protocol ? @protocol.alive? : false
  end

  # An object that lives in a thread of its own: calls of other threads wait for it.
  class ThreadObject
    include MonitorMixin

    def initialize(&block)
      super()
      @condition = new_cond
      @request = @reply = nil
      @thread = Thread.new { block.call(self) }
    end

    def alive? = @thread.alive?
    def kill
      @thread.kill
      @thread.join
    end

    def method_missing(name, *args, &block)
      synchronize do
        @condition.wait_until { @request.nil? }
        @request = [name, args, block]
        @condition.broadcast
        @condition.wait_until { @reply }
        succeeded, result = @reply
        @request = @reply = nil
        @condition.broadcast
        raise result unless succeeded
        result
      end
    end
    def respond_to_missing?(*) = true

    # Takes a call: yields it, and its result is the caller's.
    def _execute
      synchronize do
        @condition.wait_until { @request && @reply.nil? }
        begin
          @reply = [true, yield(@request)]
        rescue StandardError => error
          @reply = [false, error]
        end
        @condition.broadcast
      end
    end
  end

  # Answers calls of other processes for a front object and what it handed out.
  class DRbServer
    INSECURE_METHOD = %i[__send__].freeze

    @idconv = DRbIdConv.new
    @acl = nil
    @verbose = false

    class << self
      attr_accessor :verbose

      def default_id_conv(conv) = @idconv = conv
      def default_load_limit(size) = @load_limit = size
      def default_argc_limit(count) = @argc_limit = count
      def default_acl(acl) = @acl = acl
      def make_config(hash = {})
        { idconv: @idconv, load_limit: @load_limit || 25 * 1024 * 1024, argc_limit: @argc_limit || 256, tcp_acl: @acl, verbose: @verbose, safe_level: 0 }.merge(hash)
      end
    end

    attr_reader :uri, :front, :thread, :config, :safe_level

    def initialize(uri = nil, front = nil, config_or_acl = nil)
      given = config_or_acl.is_a?(Hash) ? config_or_acl.dup : { tcp_acl: config_or_acl }.compact
      @config = DRbServer.make_config(given)
      @protocol = DRbProtocol.open_server(uri, @config)
      @uri = @protocol.uri
      @exported_uri = [@uri]
      @front = front
      @idconv = @config[:idconv]
      @safe_level = @config[:safe_level]
      @clients = ThreadGroup.new
      @connections = []
      @thread = Thread.new { run }
      DRb.register_server(self)
    end

    def alive? = @thread.alive?
    def here?(uri) = @exported_uri.include?(uri)
    def to_obj(ref)
      case ref
      when nil then @front
      when DRbURIOption then @front.is_a?(Hash) || !@front.respond_to?(:[]) ? @front : @front[ref.to_s]
      else @idconv.to_obj(ref)
      end
    end
    def to_id(object) = object.equal?(front) ? nil : @idconv.to_id(object)
    def verbose=(flag)
      @config[:verbose] = flag
    end
    def verbose = @config[:verbose]

    def stop_service
      DRb.remove_server(self)
      if Thread.current[:DRb] && Thread.current[:DRb][:server] == self
        Thread.current[:DRb][:stop_service] = true
      else
        shutdown
      end
    end

    # Raises if a caller of another process may not call this method.
    def check_insecure_method(object, name)
      raise ArgumentError, "#{any_to_s(name)} is not a symbol" unless name.is_a?(Symbol)
      raise SecurityError, "insecure method `#{name}'" if INSECURE_METHOD.include?(name)
      return if object.respond_to?(name)
      if object.private_methods.include?(name) then raise NoMethodError, "private method `#{name}' called for #{any_to_s(object)}"
      elsif object.protected_methods.include?(name) then raise NoMethodError, "protected method `#{name}' called for #{any_to_s(object)}"
      end
    end

    private

    def any_to_s(object)
      "#{object}:#{object.class}"
    rescue NoMethodError
      Kernel.instance_method(:to_s).bind_call(object)
    end

    def shutdown
      @thread.kill.join if @thread.alive? && @thread != Thread.current
      @protocol.shutdown
      @connections.each(&:close)
    end

    def run
      loop { serve(@protocol.accept) }
    rescue IOError, SystemCallError
      nil
    end

    def serve(client)
      @connections << client
      Thread.new do
        Thread.current[:DRb] = { client: client, server: self }
        DRb.mutex.synchronize { @exported_uri |= [client.uri] if client.uri }
        loop do
          invoked = InvokeMethod.new(self, client)
          succeeded, result = invoked.perform
          warn("#{invoked.name}: #{result.inspect}") if verbose && !succeeded
          ended = result.is_a?(DRbConnError) && result.message == "connection closed"
          begin
            client.send_reply(succeeded, result) unless ended
          rescue StandardError
            break
          end
          shutdown if Thread.current[:DRb][:stop_service]
          break unless succeeded && !Thread.current[:DRb][:stop_service]
        end
      ensure
        client.close
        @connections.delete(client)
      end
    end

    # One call: reads it, makes it, and knows what comes of it.
    class InvokeMethod
      attr_reader :name

      def initialize(server, client)
        @server = server
        @client = client
      end

      def perform
        @object, @name, @args, @block = @client.recv_request
        @name = @name.intern
        @server.check_insecure_method(@object, @name)
        remote = @block && proc { |*values| @block.call(*values) }
        [true, passed(@object.__send__(@name, *@args, &remote))]
      rescue Exception => error
        [false, dumpable(error)]
      end

      private

      # A list of what is no list of plain values is passed item by item.
      def passed(result)
        return result unless result.is_a?(Array)
        Marshal.dump(result)
        result
      rescue StandardError
        DRbArray.new(result)
      end

      def dumpable(error)
        Marshal.dump(error)
        error
      rescue StandardError
        DRbRemoteError.new(error)
      end
    end
  end

  @servers = {}
  @lock = Monitor.new
  @primary_server = nil

  module_function

  def start_service(uri = nil, front = nil, config = nil)
    DRb.primary_server = DRbServer.new(uri, front, config)
  end

  def regist_server(server) = register_server(server)

  def primary_server = DRb.instance_variable_get(:@primary_server)

  def primary_server=(server)
    DRb.instance_variable_set(:@primary_server, server)
  end

  def current_server
    server = Thread.current[:DRb] ? Thread.current[:DRb][:server] : primary_server
    raise DRbServerNotFound unless server
    server
  end

  def stop_service
    primary_server&.stop_service
    DRb.primary_server = nil
  end

  def thread = primary_server&.thread
  def uri = current_server.uri
  def front = current_server.front
  def config = (current_server.config rescue DRbServer.make_config)
  def here?(uri) = (current_server.here?(uri) rescue false) || servers.key?(uri)

  def to_obj(ref) = current_server.to_obj(ref)

  def to_id(object)
    server = (current_server rescue nil)
    server ? server.to_id(object) : DRbServer.make_config[:idconv].to_id(object)
  end

  def servers = DRb.instance_variable_get(:@servers)
  def register_server(server) = servers[server.uri] = server
  def remove_server(server) = servers.delete(server.uri)
  def fetch_server(uri) = servers[uri]
  def install_id_conv(conv) = DRbServer.default_id_conv(conv)
  def install_acl(acl) = DRbServer.default_acl(acl)
  def mutex = DRb.instance_variable_get(:@lock)
end

DRbObject = DRb::DRbObject
DRbUndumped = DRb::DRbUndumped
