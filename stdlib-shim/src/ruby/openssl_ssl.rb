require "socket"

module OpenSSL
  module SSL
    # TLS over a connected socket, as its client.
    class SSLSocket
      class << self
        def open(host, port, *_local, context: SSLContext.new) = new(TCPSocket.new(host, port), context).tap { |made| made.hostname = host }
      end

      attr_reader :io, :context
      alias to_io io
      attr_accessor :hostname, :sync_close, :sync

      # The stream inside of TLS.
      class Inside < BasicSocket; end
      private_constant :Inside

      def initialize(io, context = SSLContext.new)
        @io, @context = io, context
      end

      def connect(timeout = nil)
        verify = @context.verify_mode != VERIFY_NONE && !@context.verify_mode.nil?
        files = [@context.ca_file].compact
        files += Dir.children(@context.ca_path).sort.map { |name| File.join(@context.ca_path, name) }.select { |path| File.file?(path) } if @context.ca_path
        pem = @context.cert_store.respond_to?(:to_pem) ? @context.cert_store.to_pem : ""
        @inside, @ssl_version, name, bits, @chain = Socket::Native.tls(Inside, @io, hostname || @io.remote_address.ip_address, verify, files, pem, identity, timeout || @context.timeout)
        @cipher = [name, @ssl_version, bits, bits]
        self
      end

      # What a server that asks for a certificate is shown.
      def identity
        return "" unless @context.cert && @context.key
        [@context.cert, *@context.extra_chain_cert, @context.key].map(&:to_pem).join
      end
      private :identity

      attr_reader :ssl_version, :cipher
      def peer_cert_chain = @chain&.map { |der| X509::Certificate.new(der) }
      def peer_cert = @chain&.first && X509::Certificate.new(@chain.first)
      def state = @inside ? "SSLOK " : "PINIT "

      def post_connection_check(_name) = true
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
      end
    end
  end

  module X509
    class Store
      def to_pem = @certificates.map { |der| PEM.encode("CERTIFICATE", der) }.join
    end
  end
end
