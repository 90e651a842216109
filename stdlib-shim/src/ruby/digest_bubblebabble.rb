# Digest::Instance#bubblebabble: a digest in pronounceable groups of five letters.
require "digest"

module Digest
  def self.bubblebabble(data)
    text = String.try_convert(data) or raise TypeError, "no implicit conversion of #{data.nil? ? "nil" : data.class} into String"
    bytes = text.bytes
    vowels, consonants = "aeiouy", "bcdfghklmnprstvzx"
    sum = 1
    out = +"x"
    bytes.each_slice(2) do |first, second|
      break if second.nil?
      out << vowels[((first >> 6) + sum) % 6] << consonants[(first >> 2) & 15] << vowels[((first & 3) + sum / 6) % 6]
      out << consonants[second >> 4] << "-" << consonants[second & 15]
      sum = (sum * 5 + first * 7 + second) % 36
    end
    if bytes.size.odd?
      last = bytes.last
      out << vowels[((last >> 6) + sum) % 6] << consonants[(last >> 2) & 15] << vowels[((last & 3) + sum / 6) % 6]
    else
      out << vowels[sum % 6] << "x" << vowels[sum / 6]
    end
    out << "x"
  end

  module Instance
    def bubblebabble = Digest.bubblebabble(digest)
  end
  class Class
    def self.bubblebabble(data, *args) = Digest.bubblebabble(digest(data, *args))
  end
end
