# Which addresses may connect: patterns of addresses and names, allowed or denied.
require "ipaddr"
require "socket"

class ACL
  VERSION = ["2.0.0"]
  # What is allowed unless it is denied, and the other way round.
  DENY_ALLOW = 0
  ALLOW_DENY = 1

  # A pattern: `all`, an address with an optional mask, or a name with `*`.
  class ACLEntry
    def initialize(text)
      if text == "*" || text == "all"
        @kind = [:all]
      elsif text.include?("*")
        @kind = [:name, /\A#{text.gsub(".") { "\\." }.gsub("*") { ".*" }}\z/]
      else
        begin
          @kind = [:ip, IPAddr.new(text)]
        rescue IPAddr::InvalidPrefixError
          raise
        rescue ArgumentError
          @kind = [:name, /\A#{text.gsub(".") { "\\." }}\z/]
        end
      end
    end

    # `address`: as `peeraddr` gives it.
    def match(address)
      case @kind[0]
      when :all then true
      when :ip
        begin
          other = IPAddr.new(address[3])
          other = other.ipv4_mapped if @kind[1].ipv6? && other.ipv4?
        rescue ArgumentError
          return false
        end
        @kind[1].include?(other)
      when :name then @kind[1].match?(address[2])
      end
    end
  end

  class ACLList
    def initialize
      @list = []
    end
    def match(address) = @list.any? { |entry| entry.match(address) }
    def add(text) = @list.push(ACLEntry.new(text))
  end

  def initialize(list = nil, order = DENY_ALLOW)
    @order = order
    @deny = ACLList.new
    @allow = ACLList.new
    install_list(list) if list
  end

  def allow_socket?(socket) = allow_addr?(socket.peeraddr)

  def allow_addr?(address)
    case @order
    when DENY_ALLOW
      return true if @allow.match(address)
      !@deny.match(address)
    when ALLOW_DENY
      return false if @deny.match(address)
      @allow.match(address)
    else false
    end
  end

  # Pairs of `allow` or `deny` and a pattern.
  def install_list(list)
    list.each_slice(2) do |permission, domain|
      case permission.downcase
      when "allow" then @allow.add(domain)
      when "deny" then @deny.add(domain)
      else raise "Invalid ACL entry #{list}"
      end
    end
  end
end
