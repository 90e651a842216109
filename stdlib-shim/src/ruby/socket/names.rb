# Names for the numbers of socket calls, and addresses in their packed form.
class Socket < BasicSocket
  # What a name like `:INET` or `"SO_KEEPALIVE"` stands for, and the names of a number.
  module Names
    LEVELS = { IPPROTO_IP => "IP", IPPROTO_TCP => "TCP", IPPROTO_UDP => "UDP", IPPROTO_IPV6 => "IPV6", IPPROTO_ICMP => "ICMP" }.freeze
    OPTION_PREFIXES = { IPPROTO_IP => %w(IP_), IPPROTO_TCP => %w(TCP_), IPPROTO_UDP => %w(UDP_), IPPROTO_IPV6 => %w(IPV6_) }.freeze
    SHOWN_LEVELS = { IPPROTO_IP => "IP", IPPROTO_TCP => "TCP", IPPROTO_UDP => "UDP", IPPROTO_IPV6 => "IPv6" }.freeze

    class << self
      def number(value, prefixes, what)
        value = value.to_str if !value.is_a?(Symbol) && !value.is_a?(Integer) && value.respond_to?(:to_str)
        case value
        when Symbol, String
          name = value.to_s
          found = prefixes.map { |prefix| name.start_with?(prefix) ? name : "#{prefix}#{name}" }.find { |each| each.match?(/\A[A-Z][A-Z0-9_]*\z/) && Constants.const_defined?(each) }
          raise SocketError, "unknown #{what}: #{name}" unless found
          Constants.const_get(found)
        else
          integer(value)
        end
      end

      def integer(value)
        return value if value.is_a?(Integer)
        raise TypeError, "no implicit conversion from nil to integer" if value.nil?
        raise TypeError, "no implicit conversion of #{value.class} into Integer" unless value.respond_to?(:to_int)
        value.to_int
      end

      def domain(value) = number(value, %w(AF_ PF_), "socket domain")
      def type(value) = number(value, %w(SOCK_), "socket type")
      def shutdown(value) = number(value, %w(SHUT_), "shutdown argument")

      def level(family, value)
        ip = family == AF_INET || family == AF_INET6
        return number(value, %w(SOL_ IPPROTO_), "protocol level") if ip || value.is_a?(Integer)
        number(value.to_s.delete_prefix("SOL_") == "SOCKET" ? "SOL_SOCKET" : "unknown", %w(SOL_), "protocol level")
      rescue SocketError
        raise SocketError, "unknown protocol level: #{value}"
      end

      def option(family, level, value)
        return number(value, %w(SO_), "socket level option name") if level == SOL_SOCKET
        prefixes = OPTION_PREFIXES[level] if [AF_INET, AF_INET6].include?(family)
        return number(value, prefixes, "#{SHOWN_LEVELS[level]} level option name") if prefixes
        integer(value)
      end

      # The name of a number among constants with a prefix.
      def of(prefix, number)
        @known ||= {}
        names = @known[prefix] ||= Constants.constants.select { |name| name.start_with?(prefix) && !name.match?(/DISC_|_(?:DEFAULT|MAX)_/) }
        names.find { |name| Constants.const_get(name) == number }&.to_s
      end
      def family_of(number) = { AF_UNSPEC => "UNSPEC", AF_UNIX => "UNIX", AF_INET => "INET", AF_INET6 => "INET6" }[number]
      def type_of(number) = { SOCK_STREAM => "SOCK_STREAM", SOCK_DGRAM => "SOCK_DGRAM", SOCK_RAW => "SOCK_RAW", SOCK_RDM => "SOCK_RDM", SOCK_SEQPACKET => "SOCK_SEQPACKET" }[number]
    end
  end

  # Addresses as `[family, text, port]`, and the lookup of names and services.
  module Lookup
    UNKNOWN = "getaddrinfo: Name or service not known"
    UNSERVED = "getaddrinfo: Servname not supported for ai_socktype"
    FOREIGN = "getaddrinfo: Address family for hostname not supported"

    class << self
      # `[text, ...]` of a host; nil and "" are wildcards, `<any>` and `<broadcast>` as in MRI.
      def addresses(host, family, flags, passive: flags & AI_PASSIVE != 0)
        case host
        when nil then found = passive ? %w(0.0.0.0 ::) : %w(::1 127.0.0.1)
        when Integer then found = [[host].pack("N").unpack("C4").join(".")]
        else
          host = "" + host
          raise ArgumentError, "hostname too long (#{host.bytesize})" if host.bytesize > 1024
          case host
          when "", "<any>" then found = %w(0.0.0.0)
          when "<broadcast>" then found = %w(255.255.255.255)
          else
            if Native.bytes_of(host)
              found = [canonical(host)]
            elsif host.include?("%") && Native.bytes_of(host[/\A[^%]*/])
              found = [host]
            else
              raise SocketError, UNKNOWN if flags & AI_NUMERICHOST != 0
              found = resolve(host)
            end
          end
        end
        kept = family.nil? || family == AF_UNSPEC ? found : found.select { |each| family_of(each) == family }
        raise SocketError, FOREIGN if kept.empty?
        kept
      end

      # By the scheduler of the running fiber, if that has a hook for it.
      def resolve(host)
        return Native.resolve(host) unless Fiber.current_scheduler.respond_to?(:address_resolve)
        found = Fiber.current_scheduler.address_resolve(host).to_a
        raise SocketError, UNKNOWN if found.empty?
        found
      end

      def canonical(text) = Native.unpack(Native.pack(text, 0))[1]
      def family_of(text) = text.include?(":") ? AF_INET6 : AF_INET

      # One of both must be given.
      def require_one(host, service)
        raise SocketError, UNKNOWN if host.nil? && service.nil?
      end

      # The port of a service; nil is 0.
      def port(service, protocol = "tcp")
        case service
        when nil then 0
        when Integer
          raise SocketError, UNSERVED if service.negative?
          service
        else
          text = "" + service
          return 0 if text.empty?
          return port(text.to_i) if text.match?(/\A\s*[-+]?\d+\z/)
          named(text, protocol) || raise(SocketError, UNSERVED)
        end
      end

      # What a machine without a table of services knows.
      COMMON = { "http" => 80, "https" => 443, "ftp" => 21, "ssh" => 22, "telnet" => 23, "smtp" => 25, "domain" => 53, "discard" => 9 }.map { |name, port| [name, "#{port}/tcp"] }.freeze

      def services
        File.exist?("/etc/services") ? File.foreach("/etc/services").lazy.map { |line| line.sub(/#.*/m, "").split }.select { |fields| fields.size >= 2 } : COMMON.lazy
      end

      def named(name, protocol = nil)
        services.find { |fields| (fields[0] == name || fields.drop(2).include?(name)) && (protocol.nil? || fields[1].end_with?("/#{protocol}")) }&.at(1)&.to_i
      end
      def service_of(port, protocol) = services.find { |fields| fields[1] == "#{port}/#{protocol}" }&.first

      # The name of an address: the machine's own table, then the name servers; the address itself when neither knows.
      def name_of(text)
        require "resolv"
        Resolv.getnames(text).first || text
      rescue SystemCallError, ArgumentError
        text
      end

      def reverse?(setting, default)
        case setting
        when nil then !default
        when true, :hostname then true
        when false, :numeric then false
        when Symbol then raise ArgumentError, "invalid reverse_lookup flag: #{setting.inspect}"
        else raise TypeError, "wrong argument type #{setting.class} (expected true, false, :hostname, or :numeric)"
        end
      end

      # How an address was asked for, where that is not what it shows anyway.
      def asked(host, service, text, port)
        host = nil unless host.is_a?(String) && host != text
        service = nil if service.is_a?(Integer) ? service == port || service == 0 : service == port.to_s
        service.nil? ? host : "#{host}:#{service}"
      end

      # `["AF_INET", port, name, address]` of a packed address.
      def entry(packed, reverse)
        return ["AF_UNIX", ""] if packed.empty?
        family, text, port = Native.unpack(packed)
        return ["AF_UNIX", text] if family == AF_UNIX
        return ["unknown:#{family}"] unless text
        ["AF_#{Names.family_of(family)}", port, reverse ? name_of(text) : text, text]
      end

      def pack(host, port, family = nil) = Native.pack(addresses(host, family, 0, passive: true).first, port(port))
    end
  end
end
