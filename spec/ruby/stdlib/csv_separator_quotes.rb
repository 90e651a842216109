# A field with any character of the separator is quoted.
require "csv"
puts CSV.generate_line(["one two", "three", "a,b", "", nil], col_sep: ", ")
puts CSV.generate_line(["one|two", "three", "a||b"], col_sep: "||")
puts CSV.generate_line(["a]b", "a-b", "a^b", "a\\b"], col_sep: "]-^")
puts CSV.generate_line(["a\nb", "a\rb", "a'b", "a\"b"])
puts CSV.generate_line(["it's", "b"], quote_char: "'")
p CSV.generate_line(["\xff,".dup.force_encoding("UTF-8"), "b"]) rescue p $!.class
