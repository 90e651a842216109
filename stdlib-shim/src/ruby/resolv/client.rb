# Asks name servers.
class Resolv
  class DNS
    # Which servers are asked, for which names, and how long.
    class Config
      class NXDomain < ResolvError
      end

      class OtherResolvError < ResolvError
      end

      InitialTimeout = 5

      def self.parse_resolv_conf(filename)
        servers = []
        search = nil
        ndots = 1
        File.open(filename, "rb").each_line do |line|
          word, *rest = line.sub(/[#;].*/n, "").split(/\s+/)
          case word
          when "nameserver" then servers.concat(rest)
          when "domain" then search = [rest[0]] if rest[0]
          when "search" then search = rest if rest.any?
          when "options" then rest.each { |option| ndots = $1.to_i if option =~ /\Andots:(\d+)\z/ }
          end
        end
        { nameserver: servers, search: search, ndots: ndots }
      end

      def self.default_config_hash(filename = "/etc/resolv.conf")
        File.exist?(filename) ? parse_resolv_conf(filename) : {}
      rescue SystemCallError
        {}
      end

      def initialize(info = nil)
        @info = info
        @ready = nil
        @timeouts = nil
      end

      def timeouts=(values)
        if values
          values = Array(values)
          values.each do |value|
            Numeric === value or raise ArgumentError, "#{value.inspect} is not numeric"
            value > 0.0 or raise ArgumentError, "timeout=#{value} must be positive"
          end
        end
        @timeouts = values
      end

      # Reads the configuration: /etc/resolv.conf, the file that a String names, or a Hash.
      def lazy_initialize
        return self if @ready
        settings =
          case @info
          when nil then self.class.default_config_hash
          when String then self.class.parse_resolv_conf(@info)
          when Hash then nameserver_only(@info)
          else raise ArgumentError, "invalid resolv configuration: #{@info.inspect}"
          end
        @nameserver_port = Array(settings[:nameserver]).map { |server| [server, Port] } + Array(settings[:nameserver_port]).map { |server, port| [server, port || Port] }
        @nameserver_port << ["0.0.0.0", Port] if @nameserver_port.empty?
        @search = searched(settings[:search])
        @ndots = settings[:ndots] || 1
        @ready = true
        self
      end

      def nameserver_port = lazy_initialize && @nameserver_port
      def single? = nameserver_port.length == 1 ? @nameserver_port[0] : nil

      # The names that a name may stand for.
      def generate_candidates(name)
        lazy_initialize
        name = Name.create(name)
        return [name] if name.absolute?
        whole = Name.new(name.to_a)
        others = @search.map { |domain| Name.new(name.to_a + domain) }
        name.length - 1 >= @ndots ? [whole, *others] : [*others, whole]
      end

      def generate_timeouts
        first = InitialTimeout
        [first, *[2, 4, 8].map { |times| first * times / nameserver_port.length }]
      end

      # Yields name, time limit and server until the block has an answer.
      def resolv(name)
        candidates = generate_candidates(name)
        limits = @timeouts || generate_timeouts
        candidates.each do |candidate|
          asked(candidate, limits) { |limit, server, port| yield candidate, limit, server, port }
        rescue NXDomain
          # the next name
        end
      rescue ResolvError
        # nobody knew the name, which is no error by itself
      end

      private

      def asked(candidate, limits)
        limits.each do |limit|
          @nameserver_port.each do |server, port|
            yield limit, server, port
          rescue ResolvTimeout
            # the next server
          end
        end
        raise ResolvError, "DNS resolution timeout: #{candidate}"
      end

      def nameserver_only(given)
        given = given.dup
        given[:nameserver] = [given[:nameserver]] if given[:nameserver].is_a?(String)
        given[:search] = [given[:search]] if given[:search].is_a?(String)
        given
      end

      def searched(domains)
        return domains.map { |domain| Label.split(domain) } if domains
        _, dot, domain = Socket.gethostname.partition(".")
        dot.empty? ? [[]] : [Label.split(domain)]
      end
    end

    RequestID = {}
    RequestIDMutex = Thread::Mutex.new

    class << self
      def open(*arguments)
        dns = new(*arguments)
        return dns unless block_given?
        begin
          yield dns
        ensure
          dns.close
        end
      end

      # A number below the limit that nobody can guess.
      def random(limit) = SecureRandom.random_number(limit)

      # A number for a question that no other question to the same server has meanwhile.
      def allocate_request_id(host, port)
        RequestIDMutex.synchronize do
          used = RequestID[[host, port]] ||= {}
          id = nil
          id = random(0x10000) while id.nil? || used[id]
          used[id] = true
          id
        end
      end

      def free_request_id(host, port, id)
        RequestIDMutex.synchronize do
          used = RequestID[[host, port]] or return
          used.delete(id)
          RequestID.delete([host, port]) if used.empty?
        end
      end

      # A port that is not the next one: answers are harder to forge.
      def bind_random_port(socket, host = "0.0.0.0")
        socket.bind(host, random(65_536 - 1024) + 1024)
      rescue Errno::EADDRINUSE, Errno::EACCES
        retry
      end
    end

    def initialize(config = nil)
      @mutex = Thread::Mutex.new
      @config = Config.new(config)
      @initialized = nil
    end

    def timeouts=(values)
      @config.timeouts = values
    end

    def lazy_initialize
      @mutex.synchronize do
        @config.lazy_initialize unless @initialized
        @initialized = true
      end
      self
    end

    def close
      @mutex.synchronize { @initialized = false }
    end

    def getaddress(name)
      each_address(name) { |address| return address }
      raise ResolvError, "DNS result has no information for #{name}"
    end
    def getaddresses(name) = [].tap { |found| each_address(name) { |address| found << address } }
    def each_address(name)
      each_resource(name, Resource::IN::A) { |record| yield record.address }
      each_resource(name, Resource::IN::AAAA) { |record| yield record.address } if use_ipv6?
    end

    def getname(address)
      each_name(address) { |name| return name }
      raise ResolvError, "DNS result has no information for #{address}"
    end
    def getnames(address) = [].tap { |found| each_name(address) { |name| found << name } }
    def each_name(address)
      name =
        case address
        when Name then address
        when IPv4, IPv6 then address.to_name
        when IPv4::Regex then IPv4.create(address).to_name
        when IPv6::Regex then IPv6.create(address).to_name
        else raise ResolvError, "cannot interpret as address: #{address}"
        end
      each_resource(name, Resource::IN::PTR) { |record| yield record.name }
    end

    def getresource(name, typeclass)
      each_resource(name, typeclass) { |record| return record }
      raise ResolvError, "DNS result has no information for #{name}"
    end
    def getresources(name, typeclass) = [].tap { |found| each_resource(name, typeclass) { |record| found << record } }
    def each_resource(name, typeclass, &block)
      fetch_resource(name, typeclass) { |reply, reply_name| extract_resources(reply, reply_name, typeclass, &block) }
    end

    # Asks for a name; yields the answer and the name that it is an answer to. One that did not fit is asked for again in a connection.
    def fetch_resource(name, typeclass)
      lazy_initialize
      requester = nil
      @config.resolv(name) do |candidate, limit, server, port|
        requester ||= make_udp_requester
        question = Message.new
        question.rd = 1
        question.add_question(candidate, typeclass)
        reply, reply_name = ask(requester, question, candidate, limit, server, port)
        case reply.rcode
        when RCode::NoError
          if reply.tc == 1 && !requester.is_a?(Requester::TCP)
            reply, reply_name = asked_again(question, candidate, limit, server, port) || [reply, reply_name]
          end
          return yield(reply, reply_name)
        when RCode::NXDomain then raise Config::NXDomain, reply_name.to_s
        else raise Config::OtherResolvError, reply_name.to_s
        end
      end
    ensure
      requester&.close
    end

    def make_udp_requester
      server = @config.single? or return Requester::UnconnectedUDP.new(*@config.nameserver_port)
      Requester::ConnectedUDP.new(*server)
    end
    def make_tcp_requester(host, port) = Requester::TCP.new(host, port)

    def extract_resources(message, name, typeclass)
      wanted = name
      if typeclass < Resource::ANY
        message.each_answer { |owner, _, data| yield data if owner == wanted }
        return
      end
      yielded = false
      message.each_answer do |owner, _, data|
        next unless owner == wanted
        case data
        when typeclass
          yielded = true
          yield data
        when Resource::CNAME then wanted = data.name
        end
      end
      return if yielded
      message.each_answer { |owner, _, data| yield data if owner == wanted && data.is_a?(typeclass) }
    end

    private

    def use_ipv6?
      Socket.ip_address_list.any? { |address| address.ipv6? && !address.ipv6_loopback? && !address.ipv6_linklocal? }
    rescue NotImplementedError
      true
    end

    def ask(requester, question, candidate, limit, server, port)
      sender = requester.sender(question, candidate, server, port)
      requester.request(sender, limit)
    end

    def asked_again(question, candidate, limit, server, port)
      requester = make_tcp_requester(server, port)
      ask(requester, question, candidate, limit, server, port)
    rescue Errno::ECONNREFUSED
      nil
    ensure
      requester&.close
    end

    # Sends questions, and waits for the answers to them.
    class Requester
      class RequestError < StandardError
      end

      # A question on its way.
      class Sender
        def initialize(message, data, socket)
          @message = message
          @data = data
          @socket = socket
        end
        attr_reader :message, :data
      end

      def initialize
        @senders = {}
        @sockets = []
      end

      def request(sender, limit)
        ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + limit
        sender.send
        loop do
          left = ends - Process.clock_gettime(Process::CLOCK_MONOTONIC)
          ready = left.positive? && IO.select(@sockets, nil, nil, left)
          raise ResolvTimeout unless ready
          bytes, from = recv_reply(ready[0])
          begin
            message = Message.decode(bytes)
          rescue DecodeError
            next
          end
          # an answer to an earlier question may come twice
          return [message, sender.data] if sender.equal?(sender_for(from, message))
        end
      rescue Errno::ECONNREFUSED
        raise ResolvTimeout
      end

      def sender_for(from, message) = @senders[[from, message.id]]

      def close
        @sockets.each { |socket| socket.close unless socket.closed? }
        @sockets = []
      end

      # The bytes of a question with a number of its own.
      def numbered(message, id) = message.encode.tap { |bytes| bytes[0, 2] = [id].pack("n") }
      private :numbered

      # What asks one server only.
      module OneServer
        def sender(message, data, host = @host, port = @port)
          raise RequestError, "host/port don't match: #{host}:#{port}" unless host == @host && port == @port
          id = DNS.allocate_request_id(@host, @port)
          @senders[[nil, id]] = self.class::Sender.new(numbered(message, id), data, @sockets[0])
        end

        def close
          super
          @senders.each_key { |_, id| DNS.free_request_id(@host, @port, id) }
        end
      end
      private_constant :OneServer

      # One socket, to one server.
      class ConnectedUDP < Requester
        include OneServer

        def initialize(host, port = Port)
          super()
          @host = host
          @port = port
          socket = UDPSocket.new(host.index(":") ? Socket::AF_INET6 : Socket::AF_INET)
          @sockets = [socket]
          bound = false
          DNS.bind_random_port(socket, host.index(":") ? "::" : "0.0.0.0")
          socket.connect(host, port)
          bound = true
        ensure
          close unless bound
        end

        def recv_reply(sockets) = [sockets[0].recv(UDPSize), nil]

        class Sender < Requester::Sender
          def send
            @socket.send(@message, 0)
          end
        end
      end

      # A socket for each family, to several servers.
      class UnconnectedUDP < Requester
        def initialize(*servers)
          super()
          @servers = servers
          @by_family = {}
        end

        def recv_reply(sockets)
          bytes, from = sockets[0].recvfrom(UDPSize)
          [bytes, [from[3], from[1]]]
        end

        def sender(message, data, host, port = Port)
          address = IPAddr.new(host).to_s
          socket = socket_for(address)
          id = DNS.allocate_request_id(address, port)
          @senders[[[address, port], id]] = Sender.new(numbered(message, id), data, socket, address, port)
        end

        def close
          super
          @by_family.clear
          @senders.each_key { |(address, port), id| DNS.free_request_id(address, port, id) }
        end

        class Sender < Requester::Sender
          def initialize(message, data, socket, host, port)
            super(message, data, socket)
            @host = host
            @port = port
          end

          def send
            @socket.send(@message, 0, @host, @port)
          end
        end

        private

        def socket_for(address)
          six = address.include?(":")
          @by_family[six] ||= UDPSocket.new(six ? Socket::AF_INET6 : Socket::AF_INET).tap do |socket|
            @sockets << socket
            DNS.bind_random_port(socket, six ? "::" : "0.0.0.0")
          end
        end
      end

      # To everyone in the network, who answer by themselves.
      class MDNSOneShot < UnconnectedUDP
        def sender(message, data, host, port = Port)
          id = DNS.allocate_request_id(host, port)
          @senders[id] = UnconnectedUDP::Sender.new(numbered(message, id), data, socket_for(host), host, port)
        end

        def sender_for(_from, message) = @senders[message.id]

        def close
          @sockets.each(&:close)
          @sockets = []
          @senders = {}
        end
      end

      # A connection, in which messages tell their size first.
      class TCP < Requester
        include OneServer

        def initialize(host, port = Port)
          super()
          @host = host
          @port = port
          @sockets = [TCPSocket.new(host, port)]
        end

        def recv_reply(sockets)
          size = sockets[0].read(2)&.unpack1("n") or raise ResolvTimeout
          [sockets[0].read(size), nil]
        end

        class Sender < Requester::Sender
          def send
            @socket.write([@message.bytesize].pack("n"), @message)
            @socket.flush
          end
        end
      end

    end
  end

  # Names that machines of a network tell each other: those below `local`, and addresses.
  class MDNS < DNS
    Port = 5353
    AddressV4 = "224.0.0.251"
    AddressV6 = "ff02::fb"
    Addresses = [[AddressV4, Port], [AddressV6, Port]].freeze

    def initialize(config = nil)
      super({ nameserver_port: Addresses }.merge(config || {}))
    end

    def each_address(name)
      name = Resolv::DNS::Name.create(name)
      return unless name.to_a.last.to_s == "local"
      super(name) { |address| yield address }
    end

    def make_udp_requester
      lazy_initialize
      Requester::MDNSOneShot.new(*@config.nameserver_port)
    end
  end
end
