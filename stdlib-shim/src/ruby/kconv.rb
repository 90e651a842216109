require "nkf"

# Conversions between the encodings of Japanese text.
module Kconv
  AUTO = NKF::AUTO
  JIS = NKF::JIS
  EUC = NKF::EUC
  SJIS = NKF::SJIS
  BINARY = NKF::BINARY
  NOCONV = NKF::NOCONV
  ASCII = NKF::ASCII
  UTF8 = NKF::UTF8
  UTF16 = NKF::UTF16
  UTF32 = NKF::UTF32
  UNKNOWN = NKF::UNKNOWN

  module_function

  # A text that is already in the encoding stays as it is.
  def kconv(text, to, from = nil)
    from ||= text.encoding if text.encoding != Encoding::BINARY && text.valid_encoding? && !text.ascii_only?
    from ||= NKF.guess(text)
    from = NKF.guess(text) if from == NKF::ASCII && !text.ascii_only?
    return text.dup if to.nil?
    text.b.force_encoding(from).encode(to, invalid: :replace, undef: :replace, replace: "")
  end

  def tojis(text) = kconv(text, JIS)
  def toeuc(text) = kconv(text, EUC)
  def tosjis(text) = kconv(text, SJIS)
  def toutf8(text) = kconv(text, UTF8)
  def toutf16(text) = kconv(text, UTF16)
  def toutf32(text) = kconv(text, UTF32)
  def tolocale(text) = kconv(text, Encoding.locale_charmap)
  def guess(text) = NKF.guess(text)
  def isjis(text) = text.b.ascii_only?
  def iseuc(text) = text.dup.force_encoding(EUC).valid_encoding?
  def issjis(text) = text.dup.force_encoding(SJIS).valid_encoding?
  def isutf8(text) = text.dup.force_encoding(UTF8).valid_encoding?
end

class String
  def kconv(to, from = nil) = Kconv.kconv(self, to, from)
  def tojis = Kconv.tojis(self)
  def toeuc = Kconv.toeuc(self)
  def tosjis = Kconv.tosjis(self)
  def toutf8 = Kconv.toutf8(self)
  def toutf16 = Kconv.toutf16(self)
  def toutf32 = Kconv.toutf32(self)
  def tolocale = Kconv.tolocale(self)
  def isjis = Kconv.isjis(self)
  def iseuc = Kconv.iseuc(self)
  def issjis = Kconv.issjis(self)
  def isutf8 = Kconv.isutf8(self)
end
