require "socket"

class IPAddr
  VERSION = "1.2.4"
  class Error < ArgumentError
  end

  class InvalidAddressError < Error
  end

  class AddressFamilyError < Error
  end

  class InvalidPrefixError < InvalidAddressError
  end

  V4 = 2
  V6 = 10
  private_constant :V4, :V6
  IN4MASK = 0xffffffff
  IN6MASK = (1 << 128) - 1
  IN6FORMAT = (["%.4x"] * 8).join(":").freeze
  RE_IPV4ADDRLIKE = /\A(\d+)\.(\d+)\.(\d+)\.(\d+)\z/
  RE_IPV6ADDRLIKE_FULL = /\A(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|((?:[\da-f]{1,4}:){6})(\d+)\.(\d+)\.(\d+)\.(\d+))\z/i
  RE_IPV6ADDRLIKE_COMPRESSED = /\A((?:(?:[\da-f]{1,4}:)*[\da-f]{1,4})?)::((?:((?:[\da-f]{1,4}:)*)(?:[\da-f]{1,4}|(\d+)\.(\d+)\.(\d+)\.(\d+)))?)\z/i

  attr_reader :family

  # An address from bytes in network order.
  def self.new_ntoh(bytes) = new(ntop(bytes))

  # Bytes in network order as text.
  def self.ntop(bytes)
    case bytes.size
    when 4 then bytes.unpack("C4").join(".")
    when 16 then IN6FORMAT % bytes.unpack("n8")
    else raise AddressFamilyError, "unsupported address family"
    end
  end

  def initialize(addr = "::", family = 0)
    @mask_addr = nil
    return from_number(addr, family) unless addr.is_a?(String)
    base, length = addr.split("/", 2)
    base = base.to_s
    if base.start_with?("[") && base.end_with?("]")
      base = base[1..-2]
      family = V6
    end
    zone = base[/%\w+\z/]
    if zone
      base = base.delete_suffix(zone)
      family = V6
    end
    parse(base, family)
    @zone_id = zone
    raise AddressFamilyError, "address family mismatch" if family != 0 && @family != family
    length ? mask!(length) : @mask_addr = full
  end

  def &(other) = with(@addr & coerce_other(other).to_i)
  def |(other) = with(@addr | coerce_other(other).to_i)
  def >>(count) = with(@addr >> count)
  def <<(count) = with((@addr << count) & full)
  def ~ = with(full ^ @addr)
  def succ = with(@addr + 1, family)

  def ==(other)
    other = coerce_other(other)
    @family == other.family && @addr == other.to_i
  rescue StandardError
    false
  end

  def <=>(other)
    other = coerce_other(other)
    @addr <=> other.to_i if other.family == @family
  rescue StandardError
    nil
  end
  include Comparable

  def eql?(other) = self.class == other.class && hash == other.hash && self == other
  def hash = (ipv4? ? [@addr, @mask_addr] : [@addr, @mask_addr, 6]).hash
  def mask(prefixlen) = clone.mask!(prefixlen)

  def include?(other)
    other = coerce_other(other)
    return false unless other.family == family
    range = to_range_numbers
    inner = other.send(:to_range_numbers)
    range.first <= inner.first && range.last >= inner.last
  end
  alias === include?

  def to_i = @addr
  def ipv4? = @family == V4
  def ipv6? = @family == V6

  def to_s
    text = _to_string(@addr)
    return text if ipv4?
    text = text.gsub(/\b0{1,3}([\da-f]+)\b/i, '\1')
    8.downto(2) do |count|
      run = (["0"] * count).join(":")
      match = text.match(/(?:\A|:)#{run}(?::|\z)/)
      next unless match
      text = "#{match.pre_match}::#{match.post_match}"
      break
    end
    text.sub(/\A::(ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\z/i) do
      high = $2.hex
      low = $3.hex
      "::#{$1}#{high >> 8}.#{high & 0xff}.#{low >> 8}.#{low & 0xff}"
    end + @zone_id.to_s
  end

  def to_string
    text = _to_string(@addr)
    ipv6? ? text + @zone_id.to_s : text
  end

  # Bytes in network order.
  def hton = ipv4? ? [@addr].pack("N") : 7.downto(0).map { |index| (@addr >> (16 * index)) & 0xffff }.pack("n8")

  def loopback?
    return @addr & 0xff000000 == 0x7f000000 if ipv4?
    @addr == 1
  end

  def private?
    return private_v4?(@addr) if ipv4?
    @addr >> 121 == 0x7e
  end

  def link_local?
    return @addr >> 16 == 0xa9fe if ipv4?
    @addr >> 118 == 0x3fa
  end

  def ipv4_mapped? = ipv6? && @addr >> 32 == 0xffff
  def ipv4_compat? = _ipv4_compat?

  def ipv4_mapped
    raise InvalidAddressError, "not an IPv4 address: #{@addr}" unless ipv4?
    with(@addr | 0xffff00000000, V6).tap { |made| made.instance_variable_set(:@mask_addr, @mask_addr | (IN6MASK ^ IN4MASK)) }
  end

  def ipv4_compat
    raise InvalidAddressError, "not an IPv4 address: #{@addr}" unless ipv4?
    with(@addr, V6)
  end

  # The IPv4 address in an IPv6 one that maps it.
  def native = ipv4_mapped? || ipv4_compat? ? with(@addr & IN4MASK, V4) : self
  def reverse = ipv4? ? "#{_reverse}.in-addr.arpa" : ip6_arpa

  def ip6_arpa
    raise InvalidAddressError, "not an IPv6 address: #{@addr}" unless ipv6?
    "#{_reverse}.ip6.arpa"
  end

  def ip6_int
    raise InvalidAddressError, "not an IPv6 address: #{@addr}" unless ipv6?
    "#{_reverse}.ip6.int"
  end

  def to_range
    first, last = to_range_numbers
    self.class.new(first, @family)..self.class.new(last, @family)
  end

  def prefix
    bits = ipv4? ? 32 : 128
    host = full ^ @mask_addr
    bits - host.bit_length
  end

  def prefix=(length)
    raise InvalidPrefixError, "prefix must be an integer: #{@addr}" unless length.is_a?(Integer)
    mask!(length)
  end

  def netmask = _to_string(@mask_addr)

  def inspect
    "#<#{self.class.name}: #{ipv4? ? "IPv4" : "IPv6"}:#{to_string}/#{_to_string(@mask_addr)}>"
  end

  def zone_id
    raise InvalidAddressError, "not an IPv6 address" unless ipv6?
    @zone_id
  end

  def zone_id=(zone)
    raise InvalidAddressError, "not an IPv6 address" unless ipv6?
    raise InvalidAddressError, "invalid zone identifier for address" unless zone.nil? || zone.match?(/\A%(\w+)\z/)
    @zone_id = zone
  end

  protected

  def set(addr, *family)
    chosen = family[0] || @family
    bits = chosen == V4 ? 32 : 128
    raise AddressFamilyError, "unsupported address family" unless [V4, V6].include?(chosen)
    raise InvalidAddressError, "invalid address: #{@addr}" if addr < 0 || addr >= 1 << bits
    @addr = addr
    if family[0] && family[0] != @family
      @family = family[0]
      @mask_addr &= IN4MASK if @mask_addr && @family == V4
    end
    self
  end

  def mask!(mask)
    if mask.is_a?(String)
      case mask
      when /\A(?:0|[1-9]\d*)\z/ then mask = mask.to_i
      when /\A\d+\z/ then raise InvalidPrefixError, "leading zeros in prefix"
      else
        other = IPAddr.new(mask)
        raise InvalidPrefixError, "address family is not same: #{@addr}" if other.family != @family
        host = full ^ other.to_i
        raise InvalidPrefixError, "invalid mask #{mask}: #{@addr}" unless (host + 1) & host == 0
        @mask_addr = other.to_i
        @addr &= @mask_addr
        return self
      end
    end
    bits = ipv4? ? 32 : 128
    raise InvalidPrefixError, "invalid length: #{@addr}" if mask < 0 || mask > bits
    @mask_addr = (full >> (bits - mask)) << (bits - mask)
    @addr &= @mask_addr
    self
  end

  private

  def from_number(addr, family)
    case family
    when V4, V6
      set(addr.to_i, family)
      @mask_addr = full
    when 0 then raise AddressFamilyError, "address family must be specified"
    else raise AddressFamilyError, "unsupported address family: #{family}"
    end
  end

  def _ipv4_compat? = ipv6? && @addr >> 32 == 0 && ![0, 1].include?(@addr & IN4MASK)
  def full = @family == V4 ? IN4MASK : IN6MASK
  def addr_mask(addr) = addr & full
  def with(addr, *family) = clone.set(addr, *family)
  def private_v4?(addr) = addr >> 24 == 10 || addr >> 20 == 0xac1 || addr >> 16 == 0xc0a8
  def to_range_numbers = [@addr & @mask_addr, @addr | (full ^ @mask_addr)]

  def _to_string(number)
    return [24, 16, 8, 0].map { |shift| (number >> shift) & 0xff }.join(".") if ipv4?
    ("%.32x" % number).scan(/.{4}/).join(":")
  end

  def _reverse
    return [0, 8, 16, 24].map { |shift| (@addr >> shift) & 0xff }.join(".") if ipv4?
    ("%.32x" % @addr).reverse.scan(/./).join(".")
  end

  def parse(text, family)
    @addr = @family = nil
    if family != V6
      @addr = in_addr(text)
      @family = V4 if @addr
    end
    return if @addr || (family != 0 && family != V6)
    @addr = in6_addr(text)
    @family = V6
  end

  # The number of an IPv4 address, or of its octets in an Array; nil for a text of another form.
  def in_addr(addr)
    return addr.inject(0) { |sum, octet| sum << 8 | octet.to_i } if addr.is_a?(Array)
    match = RE_IPV4ADDRLIKE.match(addr)
    match && four(match.captures)
  end

  def four(octets)
    octets.each do |octet|
      raise InvalidAddressError, "invalid address: #{@addr}" if octet.to_i > 255
      raise InvalidAddressError, "zero-filled number in IPv4 address is ambiguous: #{@addr}" if octet.match?(/\A0./)
    end
    in_addr(octets)
  end

  def in6_addr(text)
    groups = lambda { |part| part.split(":").map(&:hex) }
    if (match = RE_IPV6ADDRLIKE_FULL.match(text))
      low = match[2] ? four(match.captures[1, 4]) : nil
      list = groups.call(low ? match[1] : text)
      list += [low >> 16, low & 0xffff] if low
    elsif (match = RE_IPV6ADDRLIKE_COMPRESSED.match(text))
      low = match[4] ? four(match.captures[3, 4]) : nil
      head = groups.call(match[1])
      tail = groups.call(low ? match[3] : match[2])
      tail += [low >> 16, low & 0xffff] if low
      missing = 8 - head.size - tail.size
      raise InvalidAddressError, "invalid address: #{@addr}" if missing < (match[1].empty? || match[2].empty? ? 0 : 1)
      list = head + [0] * missing + tail
    else
      raise InvalidAddressError, "invalid address: #{@addr}"
    end
    list.inject(0) { |sum, group| sum << 16 | group }
  end

  def coerce_other(other)
    case other
    when IPAddr then other
    when String then self.class.new(other)
    else self.class.new(other, @family)
    end
  end
end
