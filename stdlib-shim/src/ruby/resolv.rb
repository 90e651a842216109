require "timeout"

# Names and addresses: /etc/hosts first, then the machine's own resolver.
class Resolv
  class ResolvError < StandardError
  end

  class ResolvTimeout < Timeout::Error
  end

  class IPv4
    Regex256 = /0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?/x
    Regex = /\A((?x:#{Regex256}))\.((?x:#{Regex256}))\.((?x:#{Regex256}))\.((?x:#{Regex256}))\z/

    attr_reader :address

    def self.create(arg)
      return arg if arg.is_a?(IPv4)
      match = Regex.match(arg.to_s) or raise ArgumentError, "cannot interpret as IPv4 address: #{arg.inspect}"
      new(match.captures.map(&:to_i).pack("C4"))
    end

    def initialize(address)
      raise ArgumentError, "IPv4 address must be 4 bytes" unless address.is_a?(String) && address.bytesize == 4
      @address = address
    end

    def to_s = @address.unpack("C4").join(".")
    def inspect = "#<#{self.class} #{self}>"
    def to_name = DNS::Name.create("#{@address.unpack("C4").reverse.join(".")}.in-addr.arpa.")
    def ==(other) = @address == other.address
    def eql?(other) = self == other
    def hash = @address.hash
  end

  class IPv6
    Regex_8Hex = /\A(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\z/
    Regex_CompressedHex = /\A((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)\z/
    Regex_6Hex4Dec = /\A((?:[0-9A-Fa-f]{1,4}:){6,6})(\d+)\.(\d+)\.(\d+)\.(\d+)\z/
    Regex_CompressedHex4Dec = /\A((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}:)*)(\d+)\.(\d+)\.(\d+)\.(\d+)\z/
    Regex_8HexLinkLocal = /\A[Ff][Ee]80(?::[0-9A-Fa-f]{1,4}){7}%[-0-9A-Za-z._~]+\z/
    Regex_CompressedHexLinkLocal = /\A[Ff][Ee]80:(?:((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)|:((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?))?:[0-9A-Fa-f]{1,4}%[-0-9A-Za-z._~]+\z/
    Regex = /(?:#{Regex_8Hex})|(?:#{Regex_CompressedHex})|(?:#{Regex_6Hex4Dec})|(?:#{Regex_CompressedHex4Dec})|(?:#{Regex_8HexLinkLocal})|(?:#{Regex_CompressedHexLinkLocal})/

    attr_reader :address

    def self.create(arg)
      return arg if arg.is_a?(IPv6)
      raise ArgumentError, "not numeric IPv6 address: #{arg}" if !Regex.match?(arg.to_s) || arg.to_s.include?("%")
      require "ipaddr"
      new(IPAddr.new(arg.to_s).hton)
    end

    def initialize(address)
      raise ArgumentError, "IPv6 address must be 16 bytes" unless address.is_a?(String) && address.bytesize == 16
      @address = address
    end

    def to_s = @address.unpack("n8").map { |part| part.to_s(16) }.join(":").sub(/(^|:)0(:0)+(:|$)/, "::")
    def inspect = "#<#{self.class} #{self}>"
    def to_name = DNS::Name.create("#{@address.unpack1("H32").reverse.chars.join(".")}.ip6.arpa.")
    def ==(other) = @address == other.address
    def eql?(other) = self == other
    def hash = @address.hash
  end

  AddressRegex = /(?:#{IPv4::Regex})|(?:#{IPv6::Regex})/

  # What a file of the form of /etc/hosts says.
  class Hosts
    DefaultFileName = "/etc/hosts"

    def initialize(filename = DefaultFileName)
      @filename = filename
      @names = nil
    end

    def lazy_initialize
      return self if @names
      @names = {}
      @addresses = {}
      File.foreach(@filename) do |line|
        address, *names = line.sub(/#.*/, "").split(/\s+/)
        next unless address && names.any?
        (@addresses[address] ||= []).concat(names)
        names.each { |name| (@names[name] ||= []).unshift(address) }
      end
      self
    rescue SystemCallError
      self
    end

    def getaddress(name) = each_address(name) { |address| return address } && raise(ResolvError, "#{@filename} has no name: #{name}")
    def getaddresses(name) = [].tap { |list| each_address(name) { |address| list << address } }
    def getname(address) = each_name(address) { |name| return name } && raise(ResolvError, "#{@filename} has no address: #{address}")
    def getnames(address) = [].tap { |list| each_name(address) { |name| list << name } }

    def each_address(name, &block)
      lazy_initialize
      (@names[name] || []).each(&block)
    end

    def each_name(address, &block)
      lazy_initialize
      (@addresses[address.to_s] || []).each(&block)
    end
  end

  # The machine's resolver. Addresses only: what it does not tell is an error that says so.
  class DNS
    Port = 53
    UDPSize = 512

    class DecodeError < StandardError
    end

    class EncodeError < StandardError
    end

    class Config
      class NXDomain < ResolvError
      end

      class OtherResolvError < ResolvError
      end

      def self.default_config_hash(filename = "/etc/resolv.conf")
        found = { nameserver: [], search: nil, ndots: 1 }
        File.foreach(filename) do |line|
          word, *rest = line.sub(/[#;].*/, "").split(/\s+/)
          case word
          when "nameserver" then found[:nameserver].concat(rest)
          when "domain" then found[:search] = [rest[0]] if rest[0]
          when "search" then found[:search] = rest if rest.any?
          when "options" then rest.each { |option| found[:ndots] = $1.to_i if option =~ /\Andots:(\d+)\z/ }
          end
        end
        found
      rescue SystemCallError
        { nameserver: [], search: nil, ndots: 1 }
      end

      attr_reader :nameserver_port

      def initialize(info = nil)
        @info = info
      end

      # Reads the configuration: /etc/resolv.conf, the file that a String names, or a Hash.
      def lazy_initialize
        return self if @nameserver_port

        @settings =
          case @info
          when nil then self.class.default_config_hash
          when String then self.class.default_config_hash(@info)
          when Hash then { nameserver: [], search: nil, ndots: 1 }.merge(@info)
          else raise ArgumentError, "invalid resolv configuration: #{@info.inspect}"
          end
        servers = Array(@settings[:nameserver])
        @nameserver_port = Array(@settings[:nameserver_port]) + servers.map { |server| [server, Port] }
        @nameserver_port << ["0.0.0.0", Port] if @nameserver_port.empty?
        self
      end
    end

    # The parts of a name.
    module Label
      def self.split(text) = text.scan(/[^.]+/).map { |part| Str.new(part) }

      # A part, equal to another without regard to case.
      class Str
        attr_reader :string, :downcase

        def initialize(string)
          @string = string
          @downcase = string.b.downcase
        end

        def to_s = @string
        def inspect = "#<#{self.class} #{self}>"
        def ==(other) = instance_of?(other.class) && @downcase == other.downcase
        alias eql? ==
        def hash = @downcase.hash
      end
    end

    # A domain name, label by label.
    class Name
      def self.create(arg)
        return arg if arg.is_a?(Name)
        raise ArgumentError, "cannot interpret as DNS name: #{arg.inspect}" unless arg.is_a?(String)
        new(Label.split(arg), arg.end_with?("."))
      end

      def initialize(labels, absolute = true)
        @labels = labels.map { |label| label.is_a?(Label::Str) ? label : Label::Str.new(label.to_s) }
        @absolute = absolute
      end

      def to_a = @labels
      def length = @labels.length
      def [](index) = @labels[index]
      def absolute? = @absolute
      def to_s = @labels.join(".")
      def inspect = "#<#{self.class}: #{self}#{"." if @absolute}>"
      def ==(other) = other.is_a?(Name) && @absolute == other.absolute? && @labels == other.to_a
      alias eql? ==
      def hash = @labels.hash ^ @absolute.hash

      def subdomain_of?(other)
        raise ArgumentError, "not a domain name: #{other.inspect}" unless other.is_a?(Name)
        @absolute == other.absolute? && length > other.length && @labels.last(other.length) == other.to_a
      end
    end

    class Resource
      attr_reader :ttl

      class ANY < Resource
      end

      module IN
        class A < Resource
          attr_reader :address

          def initialize(address) = @address = IPv4.create(address)
        end

        class AAAA < Resource
          attr_reader :address

          def initialize(address) = @address = IPv6.create(address)
        end

        %i[ANY CNAME MX NS PTR SOA SRV TXT HINFO LOC MINFO WKS].each { |name| const_set(name, Class.new(Resource)) }
      end
    end

    def self.open(*args)
      dns = new(*args)
      return dns unless block_given?
      begin
        yield dns
      ensure
        dns.close
      end
    end

    attr_reader :timeouts

    def initialize(config = nil) = @config = config
    def timeouts=(values)
      @timeouts = values
    end

    def lazy_initialize = self
    def close = nil

    def getaddress(name) = each_address(name) { |address| return address } && raise(ResolvError, "DNS result has no information for #{name}")
    def getaddresses(name) = [].tap { |list| each_address(name) { |address| list << address } }

    def each_address(name)
      Resolv.__addresses(name.to_s).each { |text| yield text.include?(":") ? IPv6.create(text) : IPv4.create(text) }
    end

    def getname(address) = each_name(address) { |name| return name } && raise(ResolvError, "DNS result has no information for #{address}")
    def getnames(address) = [].tap { |list| each_name(address) { |name| list << name } }
    def each_name(_address) = []
    def getresource(name, type) = each_resource(name, type) { |found| return found } && raise(ResolvError, "DNS result has no information for #{name}")
    def getresources(name, type) = [].tap { |list| each_resource(name, type) { |found| list << found } }

    def each_resource(name, type)
      addresses = Resolv.__addresses(name.to_s)
      if type == Resource::IN::A then addresses.grep_v(/:/).each { |text| yield type.new(text) }
      elsif type == Resource::IN::AAAA then addresses.grep(/:/).each { |text| yield type.new(text) }
      else raise ResolvError, "#{name}: only A and AAAA records are looked up here, not #{type}"
      end
    end
  end

  class << self
    def getaddress(name) = DefaultResolver.getaddress(name)
    def getaddresses(name) = DefaultResolver.getaddresses(name)
    def each_address(name, &block) = DefaultResolver.each_address(name, &block)
    def getname(address) = DefaultResolver.getname(address)
    def getnames(address) = DefaultResolver.getnames(address)
    def each_name(address, &block) = DefaultResolver.each_name(address, &block)
  end

  def initialize(resolvers = [Hosts.new, DNS.new], use_ipv6: nil) = @resolvers = resolvers

  def getaddress(name)
    each_address(name) { |address| return address }
    raise ResolvError, "no address for #{name}"
  end

  def getaddresses(name) = [].tap { |list| each_address(name) { |address| list << address } }

  def each_address(name)
    return yield(name) if AddressRegex.match?(name.to_s)
    found = false
    @resolvers.each do |resolver|
      resolver.each_address(name) do |address|
        yield address.to_s
        found = true
      end
      return if found
    end
  end

  def getname(address)
    each_name(address) { |name| return name }
    raise ResolvError, "no name for #{address}"
  end

  def getnames(address) = [].tap { |list| each_name(address) { |name| list << name } }

  def each_name(address)
    found = false
    @resolvers.each do |resolver|
      resolver.each_name(address) do |name|
        yield name.to_s
        found = true
      end
      return if found
    end
  end

  DefaultResolver = new
end
