def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
["a\n\n\nb\n\n", "\n\na\n\nb", "a\n\n\n\n\nb", "a\r\n\r\nb\r\n\r\n\r\nc", "hello\n\n\n"].each{|s| t{s.each_line("").to_a}
t{s.each_line("",chomp:true).to_a}
t{s.each_line("\n\n").to_a}}
t{"a\rb\r\nc\n".each_line(chomp:true).to_a}
t{"axxbxx".each_line("xx",chomp:true).to_a}
t{"a\n".each_line(nil,chomp:true).to_a}
t{"a\nb".each_line(nil).to_a}
t{"a\nb".lines(1)}
t{"a\nb".each_line("a","b"){}}
t{" a  b c ".split(" ",2)}
t{" a  b c ".split(" ",-1)}
t{" a b ".split(nil,2)}
t{"abc".split("")}
t{"abc".split("",2)}
t{"a,b,,".split(",")}
t{"a,b,,".split(",",-1)}
t{"a,b,,".split(",",3)}
t{"".split(",")}
t{"".split(",",-1)}
t{"abc".split("",-1)}
t{"abc".split(" ",1)}
t{" abc ".split(" ",1)}
t{"a b".split{|x| p x}}
t{",a".split(",")}
t{"é,b".b.split(",")}
t{"\xff,a".split(",")}
t{"a".split("\xff")}
t{"a\u3000b".split}
t{"a\0b \0c".split}
t{"9".upto("11").to_a}
t{"25".upto("5").to_a}
t{"a".upto("e",true).to_a}
t{"07".upto("11").to_a}
t{"a".upto("aa").to_a.size}
t{"Zz".upto("AAc").to_a}
t{"".upto("").to_a}
t{"1.48.0".upto("1.48.9").to_a}
t{"z".upto("a").to_a}
t{"9".upto("A").to_a}
t{"abc".each_char.size}
t{"abc".bytes{|x| p x}}
