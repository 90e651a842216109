require "timeout"
require "socket"
require "io/wait"
require "securerandom"

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

    # The first row of several zeros is left out, or else the first zero.
    def to_s
      text = format("%x:%x:%x:%x:%x:%x:%x:%x", *@address.unpack("n8"))
      text.sub!(/(^|:)0(:0)+(:|$)/, "::") || text.sub(/(^|:)0(:|$)/, "::")
    end
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
      File.open(@filename, "rb").each_line do |line|
        address, *names = line.sub(/#.*/n, "").split(/\s+/)
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

  class DNS
    Port = 53
    UDPSize = 512

    class DecodeError < StandardError
    end

    class EncodeError < StandardError
    end
  end
end

require "resolv/messages"
require "resolv/resources"
require "resolv/client"

class Resolv
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
  # The library's own resolver can be given others; resolvers that are made have no such method.
  def DefaultResolver.replace_resolvers(resolvers) = @resolvers = resolvers
end
