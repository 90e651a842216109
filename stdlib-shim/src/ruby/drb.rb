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
        Location.parse(uri)
        @uri = uri
      else
        @uri = uri || (DRb.uri rescue nil)
        @ref = DRb.to_id(object)
      end
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
      succeeded, result = Client.call(@uri, @ref, name, args, block)
      return result if succeeded
      raise result if result.is_a?(DRbUnknown)
      here = result.is_a?(Exception) && result.backtrace ? result.backtrace.map { |line| line.start_with?("(druby:") ? line : "(#{@uri}) #{line}" } : []
      result.set_backtrace(here + caller(1))
      raise result
    end
    ruby2_keywords :method_missing

    def pretty_print(printer) = printer.pp_object(self)
    def pretty_print_cycle(printer) = printer.object_address_group(self) { printer.breakable; printer.text("...") }
  end

  # Where a server listens: druby://HOST:PORT or drbunix:PATH.
  class Location
    attr_reader :option

    def self.parse(uri)
      case uri
      when /\Adruby:\/\/([^:\/?]*|\[[^\]]*\]):(\d+)(?:\?(.*))?\z/ then new($1, Integer($2), nil, $3)
      when /\Adrbunix:([^?]*)(?:\?(.*))?\z/ then new(nil, nil, $1, $2)
      when /\A(?:druby|drbunix):/ then raise DRbBadURI, "can't parse uri:#{uri}"
      else raise DRbBadURI, "can't parse uri:#{uri}"
      end
    end

    def initialize(host, port, path, option)
      @host = host
      @port = port
      @path = path
      @option = option
    end

    def connect
      socket = @path ? UNIXSocket.open(@path) : TCPSocket.open(@host.empty? ? "localhost" : @host, @port)
      socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1) unless @path
      socket
    rescue SystemCallError, SocketError => error
      raise DRbConnError, "#{self} - #{error.inspect}"
    end

    def listen
      return [UNIXServer.open(@path), "drbunix:#{@path}"] if @path
      server = @host.empty? ? TCPServer.open(@port) : TCPServer.open(@host, @port)
      host = @host.empty? ? Socket.gethostname : @host
      [server, "druby://#{host}:#{server.addr[1]}"]
    end

    def to_s = @path ? "drbunix:#{@path}" : "druby://#{@host}:#{@port}"
  end
  private_constant :Location

  # Messages on a connection: each a length of four bytes and marshalled data.
  class Message
    LARGEST = 25 * 1024 * 1024

    def initialize(stream, largest = LARGEST)
      @stream = stream
      @largest = largest
    end

    def write(*values) = @stream.write(values.map { |value, by_reference| pack(value, by_reference) }.join)

    def read
      size = @stream.read(4)
      raise DRbConnError, "connection closed" if size.nil?
      raise DRbConnError, "premature header" if size.size < 4
      size = size.unpack1("N")
      raise DRbConnError, "too large packet #{size}" if size > @largest
      data = @stream.read(size)
      raise DRbConnError, "connection closed" if data.nil?
      raise DRbConnError, "premature marshal format(can't read)" if data.size < size
      begin
        Marshal.load(data)
      rescue NameError, ArgumentError
        DRbUnknown.new($!, data)
      end
    end

    private

    def pack(value, by_reference)
      value = DRbObject.new(value) if by_reference
      begin
        data = Marshal.dump(value)
      rescue StandardError
        data = Marshal.dump(DRbObject.new(value))
      end
      [data.bytesize].pack("N") << data
    end
  end
  private_constant :Message

  # Connections to servers, which stay open for further calls of a thread.
  module Client
    def self.call(uri, ref, name, args, block)
      connections = Thread.current.thread_variable_get(:__drb_connections__) || {}
      Thread.current.thread_variable_set(:__drb_connections__, connections)
      stream = connections.delete([uri, Process.pid])
      stream = nil if stream&.closed? || stream&.wait_readable(0)
      stream ||= Location.parse(uri).connect
      message = Message.new(stream)
      begin
        message.write([ref], [name.id2name], [args.length], *args.map { |arg| [arg] }, [block, !block.nil?])
        reply = [message.read, message.read]
      rescue SystemCallError, IOError => error
        raise DRbConnError, error.message, error.backtrace
      end
      connections[[uri, Process.pid]] = stream
      reply
    end
  end
  private_constant :Client

  # Answers calls of other processes for a front object and what it handed out.
  class DRbServer
    INSECURE = %i[__send__].freeze
    private_constant :INSECURE

    @idconv = DRbIdConv.new
    @largest = Message::LARGEST
    @verbose = false

    class << self
      attr_accessor :verbose

      def default_id_conv(conv) = @idconv = conv
      def default_load_limit(size) = @largest = size
      def default_argc_limit(count) = @most_arguments = count
      def default_acl(acl) = @acl = acl
      def settings = { idconv: @idconv, load_limit: @largest, argc_limit: @most_arguments || 256, tcp_acl: @acl, verbose: @verbose }
    end

    attr_reader :uri, :front, :thread, :config

    def initialize(uri = nil, front = nil, config_or_acl = nil)
      given = config_or_acl.is_a?(Hash) ? config_or_acl.dup : { tcp_acl: config_or_acl }.compact
      @config = DRbServer.settings.merge(given)
      @front = front
      @clients = []
      @socket, @uri = Location.parse(uri || "druby://:0").listen
      @thread = Thread.new { accept }
      DRb.register_server(self)
    end

    def alive? = @thread.alive?
    def here?(uri) = uri == @uri
    def to_obj(ref) = ref.nil? ? @front : @config[:idconv].to_obj(ref)
    def to_id(object) = object.equal?(@front) ? nil : @config[:idconv].to_id(object)
    def verbose=(flag)
      @config[:verbose] = flag
    end
    def verbose = @config[:verbose]

    def stop_service
      DRb.remove_server(self)
      @thread.kill.join if @thread.alive?
      @socket.close unless @socket.closed?
      @clients.each { |client| client.close unless client.closed? }
    end

    # Raises if a caller of another process may not call this method.
    def check_insecure_method(object, name)
      raise ArgumentError, "#{name.inspect} is not a symbol" unless name.is_a?(Symbol)
      raise SecurityError, "insecure method `#{name}'" if INSECURE.include?(name)
      return if object.respond_to?(name)
      if object.private_methods.include?(name) then raise NoMethodError, "private method `#{name}' called for #{any_to_s(object)}"
      elsif object.protected_methods.include?(name) then raise NoMethodError, "protected method `#{name}' called for #{any_to_s(object)}"
      end
    end

    private

    def any_to_s(object) = "#{object}:#{object.class}"

    def accept
      loop do
        client = @socket.accept
        allowed = @config[:tcp_acl].nil? || client.is_a?(UNIXSocket) || @config[:tcp_acl].allow_socket?(client)
        next client.close unless allowed
        @clients.reject!(&:closed?)
        @clients << client
        Thread.new { serve(client) }
      end
    end

    def serve(client)
      Thread.current[:DRb] = { client: client, server: self }
      message = Message.new(client, @config[:load_limit])
      loop do
        ref, name, count = message.read, message.read, message.read
        raise ArgumentError, "too many arguments" if count > @config[:argc_limit]
        args = Array.new(count) { message.read }
        block = message.read
        succeeded, result = perform(ref, name, args, block)
        warn("#{name}: #{result.inspect}") if verbose && !succeeded
        message.write([succeeded], [result, result.is_a?(DRbUndumped)])
      end
    rescue DRbConnError, SystemCallError, IOError
      nil
    ensure
      client.close unless client.closed?
    end

    def perform(ref, name, args, block)
      object = to_obj(ref)
      check_insecure_method(object, name.to_sym)
      remote = block && proc { |*values| block.call(*values) }
      [true, object.__send__(name.to_sym, *args, &remote)]
    rescue Exception => error
      [false, dumpable(error)]
    end

    def dumpable(error)
      Marshal.dump(error)
      error
    rescue StandardError
      DRbRemoteError.new(error)
    end
  end

  @servers = {}
  @lock = Monitor.new
  @primary_server = nil

  module_function

  def start_service(uri = nil, front = nil, config = nil)
    DRb.primary_server = DRbServer.new(uri, front, config)
  end

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
  def config = (current_server.config rescue DRbServer.settings)
  def here?(uri) = (current_server.here?(uri) rescue false) || servers.key?(uri)

  def to_obj(ref) = current_server.to_obj(ref)

  def to_id(object)
    server = (current_server rescue nil)
    server ? server.to_id(object) : DRbServer.settings[:idconv].to_id(object)
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
