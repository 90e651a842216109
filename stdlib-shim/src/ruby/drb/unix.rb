require "drb/drb"
require "tmpdir"

module DRb
  # Connections by a socket that is a file: drbunix:PATH.
  class DRbUNIXSocket < DRbTCPSocket
    MAX_TRY = 5
    private_constant :MAX_TRY

    class << self
      def parse_uri(uri)
        raise DRbBadScheme, uri unless uri.start_with?("drbunix:")
        match = /\Adrbunix:(.*?)(?:\?(.*))?\z/.match(uri) or raise DRbBadURI, "can't parse uri:#{uri}"
        [match[1], match[2]]
      end

      def open(uri, config)
        path, = parse_uri(uri)
        new(uri, UNIXSocket.open(path), config)
      end

      def open_server(uri, config)
        path, = parse_uri(uri)
        path = temp_server if path.empty?
        server = UNIXServer.open(path)
        File.chown(config[:UNIXFileOwner]&.then { |owner| owner.is_a?(Integer) ? owner : Etc.getpwnam(owner).uid }, nil, path) if config[:UNIXFileOwner]
        File.chmod(config[:UNIXFileMode], path) if config[:UNIXFileMode]
        new("drbunix:#{path}", server, config, true)
      end

      def uri_option(uri, _config)
        path, option = parse_uri(uri)
        ["drbunix:#{path}", option]
      end

      def temp_server
        (0...).each do |number|
          path = File.join(Dir.tmpdir, "druby#{Process.pid}.#{number}")
          return path unless File.exist?(path)
        end
      end
    end

    def initialize(uri, socket, config = {}, server_mode = false)
      super(uri, socket, config)
      set_sockopt(@socket)
      # a forked child leaves the socket's file to the process that made it
      @server_pid = Process.pid if server_mode
      @acl = nil
    end

    def close
      return unless @socket
      path = @socket.path if @server_pid == Process.pid
      super
      File.unlink(path) if path && File.exist?(path)
    end
    alias shutdown close

    def accept = self.class.new(nil, @socket.accept, @config)
    def set_sockopt(_socket) = nil
  end
  DRbProtocol.add_protocol(DRbUNIXSocket)
end
