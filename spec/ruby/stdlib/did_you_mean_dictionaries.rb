# Dictionaries of DidYouMean::SpellChecker that are no Arrays.
require "set"
p DidYouMean::SpellChecker.new(dictionary: Set[:baz, :foo]).correct(:bar)
p DidYouMean::SpellChecker.new(dictionary: { "foo" => 1, "bar" => 2 }.each_key).correct("baz")
p DidYouMean::SpellChecker.new(dictionary: Struct.new(:a, :b).new("letter", "lettuce")).correct("leter")
