# Every unambiguous beginning of words.
module Abbrev
  module_function

  def abbrev(words, pattern = nil)
    pattern = /\A#{Regexp.quote(pattern)}/ if pattern.is_a?(String)
    words = words.uniq
    starts = Hash.new { |hash, start| hash[start] = [] }
    words.each do |word|
      next if word.empty?
      word.size.downto(1) { |length| starts[word[0, length]] << word }
    end
    table = {}
    starts.each { |start, found| table[start] = found.first if found.size == 1 && (pattern.nil? || pattern.match?(start)) }
    words.each { |word| table[word] = word if pattern.nil? || pattern.match?(word) }
    table
  end
end

class Array
  def abbrev(pattern = nil) = Abbrev.abbrev(self, pattern)
end
