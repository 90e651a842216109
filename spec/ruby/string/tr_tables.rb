# tr, delete and count in ASCII: all sets with all texts.
SETS = ["", "a", "-", "^", "^a", "^-", "a-c", "^a-c", "-a", "a-", "--a", "a--", "c-a", "ab", "aa", "aab", "^^", "^^a", "a^", "\\-", "a\\-c", "\\^a", "\\\\", "a-cx-z", "a-c-e", "é", "a-é", "l", "lo", "\n", "0-9a-fA-F", "^\n -~"].freeze
["hello-world", "", "aAbBcC^-\\", "a-z^9", "naïve é", "\0\x7F", "xxaabbcc", "hello".encode("UTF-16LE"), "abc".b, "a\xFFb"].each do |text|
  SETS.each do |one|
    found = SETS.map do |other|
      next if (one.empty? && %w[c-a a--].include?(other)) || (one.start_with?("^") && other.include?("é"))
      [text.tr(one, other), text.tr_s(one, other)]
    rescue ArgumentError, EncodingError => error
      error.class
    end
    alone = %i[delete count squeeze].map do |name|
      [text.public_send(name, one), text.public_send(name, one, "^b"), text.public_send(name, "a-z", one)]
    rescue ArgumentError, EncodingError => error
      error.message
    end
    p [text, one, found.inspect.sum, alone]
  end
end
p "a".tr("a", "b").encoding, "a".b.tr("a", "b").encoding, "a".tr!("x", "y"), "abc".delete!("x"), "abc".tr("b", "é"), "a".encode("US-ASCII").tr("a", "b").encoding, "abc".count("a-b", "b-c")
