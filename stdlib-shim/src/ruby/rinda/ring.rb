# How programs of a network find each other's tuple spaces.
require "drb/drb"
require "rinda/rinda"
require "socket"
require "ipaddr"

module Rinda
  Ring_PORT = 7647

  # Answers those who look for a space.
  class RingServer
    include DRb::DRbUndumped

    # Takes the answer to the one who asked.
    class Renewer
      include DRb::DRbUndumped
      attr_writer :renew

      def initialize
        @renew = true
      end
      def renew = @renew ? 1 : true
    end
    private_constant :Renewer

    def initialize(ts, addresses = [Socket::INADDR_ANY], port = Ring_PORT)
      @port = port
      addresses, @port = [Socket::INADDR_ANY], addresses if addresses.is_a?(Integer)
      @renewer = Renewer.new
      @ts = ts
      @sockets = addresses.map { |address| address.is_a?(Array) ? make_socket(*address) : make_socket(address) }
      @w_services = write_services
      @r_service = reply_service
    end

    def make_socket(address, interface_address = nil, multicast_interface = 0)
      any = address == Socket::INADDR_ANY
      info = any ? nil : Addrinfo.udp(address, @port)
      socket = Socket.new(info ? info.pfamily : Socket::AF_INET, Socket::SOCK_DGRAM, 0)
      if info&.ipv4_multicast? || info&.ipv6_multicast?
        socket.setsockopt(:SOCKET, Socket.const_defined?(:SO_REUSEPORT) ? :REUSEPORT : :REUSEADDR, true)
        if info.ipv4_multicast?
          mreq = IPAddr.new(info.ip_address).hton + IPAddr.new(interface_address || "0.0.0.0").hton
          socket.setsockopt(:IPPROTO_IP, :IP_ADD_MEMBERSHIP, mreq)
        else
          mreq = IPAddr.new(info.ip_address).hton + [multicast_interface].pack("I")
          socket.setsockopt(:IPPROTO_IPV6, :IPV6_JOIN_GROUP, mreq)
        end
      end
      socket.bind(info || Addrinfo.udp("0.0.0.0", @port))
      socket
    rescue StandardError
      socket&.close
      raise
    end

    def write_services
      @sockets.map do |socket|
        Thread.new { loop { do_write(socket.recv(1024)) } }
      end
    end

    def do_write(message)
      Thread.new do
        tuple, sec = Marshal.load(message)
        @ts.write(tuple, sec)
      rescue StandardError
        nil
      end
    end

    def reply_service
      Thread.new do
        loop { do_reply }
      end
    end

    def do_reply
      tuple = @ts.take([:lookup_ring, nil], @renewer)
      Thread.new do
        tuple[1].call(@ts)
      rescue StandardError
        nil
      end
    rescue StandardError
      nil
    end

    def shutdown
      @renewer.renew = false
      [*@w_services, @r_service].each do |thread|
        thread.kill
        thread.join
      end
      @sockets.each(&:close)
    end
  end

  # Looks for spaces: asks every address of a list.
  class RingFinger
    @@broadcast_list = ["<broadcast>", "localhost"]
    @@finger = nil

    def self.finger
      return @@finger if @@finger
      @@finger = new
      @@finger.lookup_ring_any
      @@finger
    end
    def self.primary = finger.primary
    def self.to_a = finger.to_a

    attr_accessor :broadcast_list, :multicast_hops, :multicast_interface, :port, :primary

    def initialize(broadcast_list = @@broadcast_list, port = Ring_PORT)
      @broadcast_list = broadcast_list || ["localhost"]
      @port = port
      @primary = nil
      @rings = []
      @multicast_hops = 1
      @multicast_interface = 0
    end

    def to_a = @rings
    def each
      lookup_ring_any unless @primary
      return unless @primary
      yield(@primary)
      @rings.each { |ring| yield(ring) }
    end

    # Calls the block for every space that answers within the time.
    def lookup_ring(timeout = 5, &block)
      return lookup_ring_any(timeout) unless block
      message = Marshal.dump([[:lookup_ring, DRb::DRbObject.new(block)], timeout])
      @broadcast_list.each { |address| send_message(address, message) }
      sleep(timeout)
    end

    # The first space that answers.
    def lookup_ring_any(timeout = 5)
      queue = Thread::Queue.new
      thread = Thread.new do
        lookup_ring(timeout) { |ts| queue.push(ts) }
        queue.push(nil)
      end
      @primary = queue.pop
      raise "RingNotFound" if @primary.nil?
      Thread.new do
        while (ts = queue.pop)
          @rings.push(ts)
        end
        thread.join
      end
      @primary
    end

    def make_socket(address)
      info = Addrinfo.udp(address == "<broadcast>" ? "255.255.255.255" : address, @port)
      socket = Socket.new(info.pfamily, info.socktype, info.protocol)
      if info.ipv4_multicast?
        socket.setsockopt(Socket::Option.ipv4_multicast_loop(1))
        socket.setsockopt(Socket::Option.ipv4_multicast_ttl(@multicast_hops))
      elsif info.ipv6_multicast?
        socket.setsockopt(:IPPROTO_IPV6, :IPV6_MULTICAST_LOOP, true)
        socket.setsockopt(:IPPROTO_IPV6, :IPV6_MULTICAST_HOPS, [@multicast_hops].pack("I"))
        socket.setsockopt(:IPPROTO_IPV6, :IPV6_MULTICAST_IF, [@multicast_interface].pack("I"))
      else
        socket.setsockopt(:SOL_SOCKET, :SO_BROADCAST, true)
      end
      socket.connect(info)
      socket
    rescue StandardError
      socket&.close
      raise
    end

    def send_message(address, message)
      socket = make_socket(address)
      socket.send(message, 0)
    rescue StandardError
      nil
    ensure
      socket&.close
    end
  end

  # Tells the ring of a service.
  class RingProvider
    def initialize(klass, front, desc, renewer = nil)
      @tuple = [:name, klass, front, desc]
      @renewer = renewer || Rinda::SimpleRenewer.new
    end

    def provide
      ts = Rinda::RingFinger.primary
      ts.write(@tuple, @renewer)
    end
  end
end
