require "socket"

module OpenSSL
  module SSL
    # What is asked of the socket inside, also before the handshake.
    module SocketForwarder
      def addr = to_io.addr
      def peeraddr = to_io.peeraddr
      def setsockopt(level, name, value) = to_io.setsockopt(level, name, value)
      def getsockopt(level, name) = to_io.getsockopt(level, name)
      def fcntl(*args) = to_io.fcntl(*args)
      def do_not_reverse_lookup=(flag)
        to_io.do_not_reverse_lookup = flag
      end
    end

    # TLS over a connected socket, as client or server.
    class SSLSocket
      class << self
        def open(host, port, *_local, context: SSLContext.new) = new(TCPSocket.new(host, port), context).tap { |made| made.hostname = host }
      end

      include SocketForwarder
      attr_reader :io, :context
      alias to_io io
      attr_accessor :hostname, :sync_close, :sync

      # The stream inside of TLS.
      class Inside < BasicSocket; end
      private_constant :Inside

      def initialize(io, context = SSLContext.new)
        @io, @context = io, context
      end

      def connect(timeout = nil) = shake_hands(:connect, timeout)
      def accept(timeout = nil) = shake_hands(:accept, timeout)
      # The hands are shaken at once: there is nothing to wait for afterwards.
      def connect_nonblock(exception: true) = connect
      def accept_nonblock(exception: true) = accept
      def sysread(size, *buffer) = readpartial(size, *buffer)
      def syswrite(text) = write(text)

      attr_reader :ssl_version, :cipher, :verify_result, :alpn_protocol
      def npn_protocol = nil
      def peer_cert_chain = @chain&.map { |der| X509::Certificate.new(der) }
      def peer_cert = @chain&.first && X509::Certificate.new(@chain.first)
      def cert = @context.cert
      def state = @inside ? "SSLOK " : "PINIT "

      # The peer's certificate must be for this host.
      def post_connection_check(hostname)
        raise SSLError, "Peer verification enabled, but no certificate received." if peer_cert.nil?
        return true if SSL.verify_certificate_identity(peer_cert, hostname)
        raise SSLError, "hostname \"#{hostname}\" does not match the server certificate"
      end

      def closed? = @io.closed?
      def close
        @inside&.close
        @io.close if sync_close && !@io.closed?
        nil
      end
      alias sysclose close
      def respond_to_missing?(name, all = false) = @inside.respond_to?(name, all)
      def method_missing(name, *args, **options, &block)
        raise SSLError, "SSL session is not started yet" unless @inside
        @inside.__send__(name, *args, **options, &block)
      rescue Errno::EPROTO => e
        raise SSLError, "SSL: #{e.message.sub("Protocol error - ", "")}"
      end

      private

      def shake_hands(side, timeout)
        callback = @context.verify_callback || @context.cert_store&.verify_callback
        settings = @context.__send__(:settings, hostname, !callback.nil?)
        inside, @ssl_version, @cipher, @chain, @verify_result, @alpn_protocol, steps = Native.public_send(side, Inside, @io, [settings, timeout || @context.timeout])
        judge(side, inside, steps, callback) if callback && @context.verifies?
        @inside = inside
        self
      end

      # Asks the callback; hangs up where it refuses.
      def judge(side, inside, steps, callback)
        @verify_result, text, = X509.const_get(:Steps).judge(steps, callback)
        return if @verify_result == X509::V_OK
        inside.close
        peer = @io.respond_to?(:remote_address) ? "peeraddr=#{@io.remote_address.inspect_sockaddr} " : ""
        raise SSLError, "SSL_#{side} returned=1 errno=0 #{peer}state=error: certificate verify failed (#{text})"
      end
    end

    # A server's socket, whose connections speak TLS.
    class SSLServer
      # Whether `accept` makes the handshake.
      attr_accessor :start_immediately

      def initialize(server, context)
        @server, @context, @start_immediately = server, context, true
      end

      def to_io = @server
      def listen(backlog = ::Socket::SOMAXCONN) = @server.listen(backlog)
      def shutdown(how = ::Socket::SHUT_RDWR) = @server.shutdown(how)
      def close = @server.close
      def closed? = @server.closed?
      def addr = @server.addr
      def peeraddr = @server.peeraddr
      def fileno = @server.fileno
      def fcntl(...) = @server.fcntl(...)
      def getsockopt(...) = @server.getsockopt(...)
      def setsockopt(...) = @server.setsockopt(...)
      def do_not_reverse_lookup=(flag)
        @server.do_not_reverse_lookup = flag
      end

      def accept
        socket, = @server.accept
        connection = SSLSocket.new(socket, @context)
        connection.sync_close = true
        connection.accept if start_immediately
        connection
      rescue Exception
        socket&.close unless socket&.closed?
        raise
      end
    end

    # What a connection is made with.
    class SSLContext
      private

      # What the native handshake takes.
      def settings(hostname, recording)
        [hostname, (hostname if verify_hostname), verify_mode.to_i, recording, trust, cert&.to_der, key, Array(extra_chain_cert).map(&:to_der),
         @min_version, @max_version, @cipher_list, options, verify_depth, alpn_protocols.to_a]
      end

      # The certificates of the store, of `ca_file` and of `ca_path`. Without any of these nobody is trusted.
      def trust
        extra = X509::Store.new
        extra.add_file(ca_file) if ca_file
        extra.add_path(ca_path) if ca_path
        certificates, lists, = extra.__send__(:settings)
        return [certificates, lists, 0, nil, nil] unless cert_store
        own, own_lists, *rest = cert_store.__send__(:settings)
        [own | certificates, own_lists | lists, *rest]
      end
    end
  end
end
