# Every unambiguous beginning of words.
module Abbrev
  module_function

  def abbrev(words, pattern = nil)
    pattern = /\A#{Regexp.quote(pattern)}/ if pattern.is_a?(String)
    seen = Hash.new(0)
    table = {}
    words.each do |word|
      word.size.downto(1) do |length|
        start = word[0, length]
        next if pattern && pattern !~ start
        case seen[start] += 1
        when 1 then table[start] = word
        when 2 then table.delete(start)
        else break
        end
      end
    end
    words.each { |word| table[word] = word if pattern.nil? || pattern =~ word }
    table
  end
end

class Array
  def abbrev(pattern = nil) = Abbrev.abbrev(self, pattern)
end
