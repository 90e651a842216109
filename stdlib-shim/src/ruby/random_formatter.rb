# Strings and numbers from a source of random bytes: what has `bytes`, or `gen_random` of its own.
module Random::Formatter
  ALPHANUMERIC = [*"A".."Z", *"a".."z", *"0".."9"].freeze

  def random_bytes(count = nil) = gen_random(count ? count.to_int : 16)
  def hex(count = nil) = random_bytes(count).unpack1("H*")
  def base64(count = nil) = [random_bytes(count)].pack("m0")

  def urlsafe_base64(count = nil, padding = false)
    text = base64(count).tr("+/", "-_")
    padding ? text : text.delete("=")
  end

  # A UUID of version 4.
  def uuid
    a, b, c, d, e = random_bytes(16).unpack("NnnnH12")
    format("%08x-%04x-%04x-%04x-%s", a, b, c & 0x0fff | 0x4000, d & 0x3fff | 0x8000, e)
  end

  def alphanumeric(count = nil) = choose(ALPHANUMERIC, count.nil? ? 16 : count)

  private

  def gen_random(count) = bytes(count)

  # As many characters at once as a number of 32 bits tells apart.
  def choose(source, count)
    base = source.size
    width = 1
    width += 1 while base > 1 && base**(width + 1) <= 1 << 32
    text = +""
    while count > 0
      digits = base > 1 ? random_number(base**width).digits(base) : []
      wanted = [width, count].min
      wanted.times { |index| text << source[digits[index] || 0] }
      count -= wanted
    end
    text
  end
end
Random.include(Random::Formatter)
Random.extend(Random::Formatter)
