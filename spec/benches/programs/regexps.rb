text = "server web01.example.com:8080 weight=5\nserver db-2.example.org:5432 weight=10 # main\n" * 1500
count = 0
5.times do
  count += text.scan(/\w+\.example\.(?:com|org):(\d+)/).size
  count += text.gsub(/weight=(\d+)/) { "w=#{$1.to_i + 1}" }.size
  count += text.gsub(/[aeiou]/, "a" => "4", "e" => "3", "i" => "1", "o" => "0", "u" => "_").size
  count += text.gsub("example", "sample").size
  text.each_line { |line| count += 1 if line =~ /^server\s+(?<host>\S+)/ && $~[:host].end_with?("8080") }
  count += text.lines.grep(/#\s*main$/).size
  count += text.split(/\s+/).size
end
puts count
