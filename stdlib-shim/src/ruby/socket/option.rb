class Socket < BasicSocket
  # The value of a socket option, with where it belongs.
  class Option
    attr_reader :family, :level, :optname, :data
    alias to_s data

    class << self
      def int(family, level, name, value) = new(family, level, name, [value].pack("i"))
      def bool(family, level, name, value) = new(family, level, name, [value ? 1 : 0].pack("i"))
      def byte(family, level, name, value) = new(family, level, name, [value].pack("C"))
      def linger(on, seconds) = new(AF_UNSPEC, SOL_SOCKET, SO_LINGER, [on && on != 0 ? 1 : 0, seconds].pack("ii"))
      def ipv4_multicast_ttl(value) = new(:INET, IPPROTO_IP, IP_MULTICAST_TTL, [value].pack("i"))
      def ipv4_multicast_loop(value) = new(:INET, IPPROTO_IP, IP_MULTICAST_LOOP, [value].pack("i"))
    end

    def initialize(family, level, name, data)
      @family = Names.domain(family)
      @level = Names.level(@family, level)
      @optname = Names.option(@family, @level, name)
      raise TypeError, "no implicit conversion of #{data.nil? ? "nil" : data.class} into String" unless data.respond_to?(:to_str)
      @data = data.to_str
    end

    def int = sized("int", 4).unpack1("i")
    def bool = sized("int", 4).unpack1("i") != 0
    def byte = sized("char", 1).unpack1("C")
    def unpack(template) = @data.unpack(template)

    def linger
      raise TypeError, "linger socket option expected" unless @level == SOL_SOCKET && @optname == SO_LINGER
      on, seconds = sized("struct linger", 8).unpack("ii")
      [on != 0, seconds]
    end
    def ipv4_multicast_ttl = int
    def ipv4_multicast_loop = int

    def inspect
      family = Names.family_of(@family) || "family:#{@family}"
      level = @level == SOL_SOCKET ? "SOCKET" : Names::LEVELS[@level] || "level:#{@level}"
      prefixes = @level == SOL_SOCKET ? %w(SO_) : Names::OPTION_PREFIXES.fetch(@level, [])
      name = prefixes.filter_map { |prefix| Names.of(prefix, @optname)&.delete_prefix(prefix) }.first || "optname:#{@optname}"
      "#<Socket::Option: #{family} #{level} #{name} #{shown}>"
    end

    private

    def sized(what, size)
      raise TypeError, "size differ.  expected as sizeof(#{what})=#{size} but #{@data.bytesize}" unless @data.bytesize == size
      @data
    end

    def shown
      if @level == SOL_SOCKET && @optname == SO_LINGER && @data.bytesize == 8
        on, seconds = linger
        return "#{on ? "on" : "off"} #{seconds}sec"
      end
      numeric = @level == SOL_SOCKET || @level == IPPROTO_TCP
      numeric && @data.bytesize == 4 ? int.to_s : @data.inspect
    end
  end

  # Control data beside a message. It can be described; sending it is not built.
  class AncillaryData
    attr_reader :family, :level, :type, :data

    def self.int(family, level, type, value) = new(family, level, type, [value].pack("i"))

    def initialize(family, level, type, data)
      @family = Names.domain(family)
      @level = Names.level(@family, level)
      @type = type_number(type)
      @data = data.to_str
    end

    def int
      raise TypeError, "size differ.  expected as sizeof(int)=4 but #{@data.bytesize}" unless @data.bytesize == 4
      @data.unpack1("i")
    end
    def cmsg_is?(level, type) = @level == Names.level(@family, level) && @type == type_number(type)

    private

    def type_number(type)
      case @level
      when SOL_SOCKET then Names.number(type, %w(SCM_), "UNIX control message")
      when IPPROTO_IP then Names.number(type, %w(IP_), "IP control message")
      when IPPROTO_IPV6 then Names.number(type, %w(IPV6_), "IPv6 control message")
      when IPPROTO_TCP then Names.number(type, %w(TCP_), "TCP control message")
      when IPPROTO_UDP then Names.number(type, %w(UDP_), "UDP control message")
      else Names.integer(type)
      end
    end
  end
end
