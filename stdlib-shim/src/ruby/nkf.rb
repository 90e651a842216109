# Conversions between the encodings of Japanese text by options of the program nkf.
module NKF
  AUTO = nil
  NOCONV = nil
  UNKNOWN = nil
  BINARY = Encoding::BINARY
  ASCII = Encoding::US_ASCII
  JIS = Encoding::ISO_2022_JP
  EUC = Encoding::EUC_JP
  SJIS = Encoding::Shift_JIS
  UTF8 = Encoding::UTF_8
  UTF16 = Encoding::UTF_16BE
  UTF32 = Encoding::UTF_32BE
  VERSION = "2.1.5"

  INPUT = { "J" => JIS, "E" => EUC, "S" => SJIS, "W" => UTF8 }.freeze
  OUTPUT = { "j" => JIS, "e" => EUC, "s" => SJIS, "w" => UTF8 }.freeze
  WIDE = { "W16B" => UTF16, "W16L" => Encoding::UTF_16LE, "W16" => UTF16, "W32B" => UTF32, "W32L" => Encoding::UTF_32LE, "W32" => UTF32 }.freeze
  private_constant :INPUT, :OUTPUT, :WIDE

  module_function

  # The encoding that a text is likely to be in.
  def guess(text)
    bytes = text.b
    return JIS if bytes.match?(/\e(?:\$[@B]|\([BIJ])/n)
    return ASCII if bytes.ascii_only?
    # pairs of bytes that are characters of EUC-JP may be UTF-8, too; what EUC-JP writes with a prefix is rarer than that
    return EUC if bytes.match?(/\A(?:[\x00-\x7f]|[\xa1-\xfe][\xa1-\xfe])*\z/n) && defined_in?(bytes, EUC)
    [UTF8, SJIS, EUC].find { |encoding| defined_in?(bytes, encoding) } || BINARY
  end

  # Whether all bytes are characters of an encoding.
  def defined_in?(bytes, encoding)
    text = bytes.dup.force_encoding(encoding)
    text.valid_encoding? && !text.encode(UTF8).nil?
  rescue EncodingError
    false
  end
  private :defined_in?
  private_class_method :defined_in?

  # -j -e -s -w say what the result is in, -J -E -S -W what the text is in; without the latter it is guessed.
  def nkf(options, text)
    from = nil
    to = JIS
    mode = {}
    options.split.each do |word|
      word.delete_prefix("-").scan(/[wW](?:16|32)[BL]?0?|[wW]8|-[a-z0-9-]+=\S+|-\w+|L[uwm]|[a-zA-Z]\d?/) do |option|
        wide = WIDE[option.upcase.delete_suffix("0")] || (UTF8 if option.casecmp?("w8"))
        if wide then option.start_with?("w") ? to = wide : from = wide
        elsif INPUT.key?(option) then from = INPUT[option]
        elsif OUTPUT.key?(option) then to = OUTPUT[option]
        elsif option.start_with?("-ic=") then from = Encoding.find(option[4..].sub(/-nkf\z/i, ""))
        elsif option.start_with?("-oc=") then to = Encoding.find(option[4..].sub(/-nkf\z/i, ""))
        else mode[option] = true
        end
      end
    end
    from ||= guess(text)
    converted = text.b.force_encoding(from).encode(Encoding::UTF_8, invalid: :replace, undef: :replace, replace: "")
    converted = converted.gsub(/\r\n?/, "\n") if mode["-unix"] || mode["Lu"] || mode["d"]
    converted = converted.gsub(/\r?\n/, "\r\n") if mode["-windows"] || mode["Lw"] || mode["c"]
    converted = converted.unicode_normalize(:nfkc) if mode["Z"] || mode["Z1"]
    converted.encode(to, invalid: :replace, undef: :replace)
  end
end
