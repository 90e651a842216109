# Records of DNS: what each type of them holds.
class Resolv
  # What a record tells of a place on the earth.
  module LOC
    # A value in the form in which records hold it, and as people write it.
    class Value
      def to_s = __text
      def inspect = "#<#{self.class} #{self}>"
      def ==(other) = other.is_a?(self.class) && __bytes == other.__bytes
      alias eql? ==
      def hash = __bytes.hash
    end
    private_constant :Value

    class Size < Value
      Regex = /^(\d+\.*\d*)[m]$/
      attr_reader :scalar

      def self.create(arg)
        return arg if arg.is_a?(Size)
        raise ArgumentError, "not a properly formed Size string: #{arg}" unless arg.is_a?(String) && Regex.match(arg)
        digits, power = format("%.0e", $1.to_f * 100).split("e").map(&:to_i)
        new([(digits << 4) + power].pack("C"))
      end

      def initialize(scalar)
        super()
        @scalar = scalar
      end
      def __bytes = @scalar
      def __text
        value = @scalar.unpack1("C")
        "#{(value >> 4) * 10**((value & 15) - 2)}m"
      end
    end

    class Coord < Value
      Regex = /^(\d+)\s(\d+)\s(\d+\.\d+)\s([NESW])$/
      attr_reader :coordinates, :orientation
      # The equator and the first meridian, in thousandths of a second.
      MIDDLE = 2**31
      private_constant :MIDDLE

      def self.create(arg)
        return arg if arg.is_a?(Coord)
        raise ArgumentError, "not a properly formed Coord string: #{arg}" unless arg.is_a?(String) && Regex.match(arg)
        raise ArgumentError, "not a properly formed Coord string: #{arg}" unless $1.to_f < 180 && $2.to_f < 60 && $3.to_f < 60
        angle = $1.to_i * 36e5 + $2.to_i * 6e4 + $3.to_f * 1e3
        # as in Ruby 3.1, which has no other sign for S and W
        new([(angle + MIDDLE).to_i].pack("N"), %w[N S].include?($4) ? "lat" : "lon")
      end

      def initialize(coordinates, orientation)
        super()
        raise ArgumentError, "Coord must be a 32bit unsigned integer in hex format: #{coordinates}" unless coordinates.is_a?(String)
        raise ArgumentError, "Coord expects orientation to be a String argument" unless orientation.is_a?(String)
        raise ArgumentError, "Coord expects orientation to be \"lat\" or \"lon\"" unless %w[lat lon].include?(orientation)
        @coordinates = coordinates
        @orientation = orientation
      end
      def __bytes = @coordinates
      def __text
        angle = @coordinates.unpack1("N") - MIDDLE
        side = @orientation == "lat" ? (angle.negative? ? "S" : "N") : (angle.negative? ? "W" : "E")
        minutes, seconds = angle.abs.divmod(60_000)
        degrees, minutes = minutes.divmod(60)
        "#{degrees} #{minutes} #{seconds / 1000}.#{seconds % 1000} #{side}"
      end
    end

    class Alt < Value
      Regex = /^([+-]*\d+\.*\d*)[m]$/
      attr_reader :altitude
      # Centimetres from the lowest height that can be told.
      LOWEST = 1e7
      private_constant :LOWEST

      def self.create(arg)
        return arg if arg.is_a?(Alt)
        raise ArgumentError, "not a properly formed Alt string: #{arg}" unless arg.is_a?(String) && Regex.match(arg)
        new([($1.to_f * 100 + LOWEST).to_i].pack("N"))
      end

      def initialize(altitude)
        super()
        @altitude = altitude
      end
      def __bytes = @altitude
      def __text = "#{@altitude.unpack1("N").to_f / 100 - LOWEST / 100}m"
    end
  end

  class DNS
    class Resource < Query
      attr_reader :ttl

      # Classes of records by the numbers of their type and class.
      ClassHash = {}

      def encode_rdata(_message) = raise(NotImplementedError)
      def self.decode_rdata(_message) = raise(NotImplementedError)

      # The fields; the time that a record lives is not one.
      def __fields = (instance_variables - [:@ttl]).sort.map { |name| instance_variable_get(name) }
      def ==(other)
        other.is_a?(Resource) && instance_of?(other.class) && __fields == other.__fields
      end
      def eql?(other) = self == other
      def hash = __fields.hash

      def self.get_class(type, klass) = ClassHash[[type, klass]] || Generic.create(type, klass)

      # A record of which only the bytes are known.
      class Generic < Resource
        attr_reader :data

        def initialize(data)
          @data = data
        end
        def encode_rdata(message)
          message.put_bytes(@data)
        end
        def self.decode_rdata(message) = new(message.get_bytes)

        def self.create(type, klass)
          made = Class.new(Generic)
          made.const_set(:TypeValue, type)
          made.const_set(:ClassValue, klass)
          Generic.const_set("Type#{type}_Class#{klass}", made)
          ClassHash[[type, klass]] = made
        end
      end

      # A record that is a name.
      class DomainName < Resource
        attr_reader :name

        def initialize(name)
          @name = name
        end
        def encode_rdata(message)
          message.put_name(@name)
        end
        def self.decode_rdata(message) = new(message.get_name)
      end

      ClassValue = nil

      class NS < DomainName
        TypeValue = 2
      end

      class CNAME < DomainName
        TypeValue = 5
      end

      class PTR < DomainName
        TypeValue = 12
      end

      # Where the authority of a zone begins.
      class SOA < Resource
        TypeValue = 6
        attr_reader :mname, :rname, :serial, :refresh, :retry, :expire, :minimum

        def initialize(mname, rname, serial, refresh, retry_, expire, minimum)
          @mname = mname
          @rname = rname
          @serial = serial
          @refresh = refresh
          @retry = retry_
          @expire = expire
          @minimum = minimum
        end
        def encode_rdata(message)
          message.put_name(@mname)
          message.put_name(@rname)
          message.put_pack("NNNNN", @serial, @refresh, @retry, @expire, @minimum)
        end
        def self.decode_rdata(message) = new(message.get_name, message.get_name, *message.get_unpack("NNNNN"))
      end

      # Processor and system of a machine.
      class HINFO < Resource
        TypeValue = 13
        attr_reader :cpu, :os

        def initialize(cpu, os)
          @cpu = cpu
          @os = os
        end
        def encode_rdata(message)
          message.put_string(@cpu)
          message.put_string(@os)
        end
        def self.decode_rdata(message) = new(message.get_string, message.get_string)
      end

      # Who is responsible for a mailbox.
      class MINFO < Resource
        TypeValue = 14
        attr_reader :rmailbx, :emailbx

        def initialize(rmailbx, emailbx)
          @rmailbx = rmailbx
          @emailbx = emailbx
        end
        def encode_rdata(message)
          message.put_name(@rmailbx)
          message.put_name(@emailbx)
        end
        def self.decode_rdata(message) = new(message.get_string, message.get_string)
      end

      class MX < Resource
        TypeValue = 15
        attr_reader :preference, :exchange

        def initialize(preference, exchange)
          @preference = preference
          @exchange = exchange
        end
        def encode_rdata(message)
          message.put_pack("n", @preference)
          message.put_name(@exchange)
        end
        def self.decode_rdata(message) = new(*message.get_unpack("n"), message.get_name)
      end

      class TXT < Resource
        TypeValue = 16
        attr_reader :strings

        def initialize(first, *rest)
          @strings = [first, *rest]
        end
        def data = @strings.join
        def encode_rdata(message)
          message.put_string_list(@strings)
        end
        def self.decode_rdata(message) = new(*message.get_string_list)
      end

      class LOC < Resource
        TypeValue = 29
        attr_reader :version, :ssize, :hprecision, :vprecision, :latitude, :longitude, :altitude

        def initialize(version, ssize, hprecision, vprecision, latitude, longitude, altitude)
          @version = version
          @ssize, @hprecision, @vprecision = [ssize, hprecision, vprecision].map { |size| Resolv::LOC::Size.create(size) }
          @latitude, @longitude = [latitude, longitude].map { |side| Resolv::LOC::Coord.create(side) }
          @altitude = Resolv::LOC::Alt.create(altitude)
        end
        def encode_rdata(message)
          message.put_bytes(@version)
          [@ssize, @hprecision, @vprecision, @latitude, @longitude, @altitude].each { |part| message.put_bytes(part.__bytes) }
        end
        def self.decode_rdata(message)
          version = message.get_bytes(1)
          sizes = Array.new(3) { Resolv::LOC::Size.new(message.get_bytes(1)) }
          sides = %w[lat lon].map { |side| Resolv::LOC::Coord.new(message.get_bytes(4), side) }
          new(version, *sizes, *sides, Resolv::LOC::Alt.new(message.get_bytes(4)))
        end
      end

      class ANY < Query
        TypeValue = 255
      end

      ClassInsensitiveTypes = [NS, CNAME, SOA, PTR, HINFO, MINFO, MX, TXT, LOC, ANY]

      # The records of the internet.
      module IN
        ClassValue = 1

        ClassInsensitiveTypes.each do |kind|
          made = Class.new(kind)
          made.const_set(:TypeValue, kind::TypeValue)
          made.const_set(:ClassValue, ClassValue)
          ClassHash[[kind::TypeValue, ClassValue]] = made
          const_set(kind.name[/[^:]+\z/], made)
        end

        class A < Resource
          TypeValue = 1
          ClassValue = IN::ClassValue
          ClassHash[[TypeValue, ClassValue]] = self
          attr_reader :address

          def initialize(address)
            @address = IPv4.create(address)
          end
          def encode_rdata(message)
            message.put_bytes(@address.address)
          end
          def self.decode_rdata(message) = new(IPv4.new(message.get_bytes(4)))
        end

        # Which services a machine has.
        class WKS < Resource
          TypeValue = 11
          ClassValue = IN::ClassValue
          ClassHash[[TypeValue, ClassValue]] = self
          attr_reader :address, :protocol, :bitmap

          def initialize(address, protocol, bitmap)
            @address = IPv4.create(address)
            @protocol = protocol
            @bitmap = bitmap
          end
          def encode_rdata(message)
            message.put_bytes(@address.address)
            message.put_pack("n", @protocol)
            message.put_bytes(@bitmap)
          end
          def self.decode_rdata(message)
            address = IPv4.new(message.get_bytes(4))
            new(address, *message.get_unpack("n"), message.get_bytes)
          end
        end

        class AAAA < Resource
          TypeValue = 28
          ClassValue = IN::ClassValue
          ClassHash[[TypeValue, ClassValue]] = self
          attr_reader :address

          def initialize(address)
            @address = IPv6.create(address)
          end
          def encode_rdata(message)
            message.put_bytes(@address.address)
          end
          def self.decode_rdata(message) = new(IPv6.new(message.get_bytes(16)))
        end

        # Where a service is.
        class SRV < Resource
          TypeValue = 33
          ClassValue = IN::ClassValue
          ClassHash[[TypeValue, ClassValue]] = self
          attr_reader :priority, :weight, :port, :target

          def initialize(priority, weight, port, target)
            @priority = priority.to_int
            @weight = weight.to_int
            @port = port.to_int
            @target = Name.create(target)
          end
          def encode_rdata(message)
            message.put_pack("nnn", @priority, @weight, @port)
            message.put_name(@target)
          end
          def self.decode_rdata(message) = new(*message.get_unpack("nnn"), message.get_name)
        end
      end
    end
  end
end
