def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t{"hello".index("l").to_s}
t{"hello".index("l",3).to_s}
t{"hello".index("l",-1).to_s}
t{"hello".index("").to_s}
t{"hello".index("",5).to_s}
t{"hello".index("",6).to_s}
t{"héllo".index("l").to_s}
t{"hello".rindex("l").to_s}
t{"hello".rindex("l",2).to_s}
t{"hello".rindex("").to_s}
t{"hello".rindex("l",-3).to_s}
t{"hello".rindex("h",-10).to_s}
t{"héllo".rindex("l").to_s}
t{"hello".partition("l")}
t{"hello".rpartition("l")}
t{"hello".partition("x")}
t{"hello".rpartition("x")}
t{"hello".start_with?("he")}
t{"hello".end_with?("lo","x")}
t{"hello".end_with?}
t{"あ".end_with?("\x82")}
t{"hello".delete_prefix("he")}
t{"hello".delete_suffix("lo")}
t{"hello".delete_suffix!("x")}
t{"hello".include?("ell")}
t{"hello".include?(nil)}

# The separator itself is in the middle, whatever its class.
frozen_separator = Class.new(String) { def inspect = "<#{super}>" }.new("b").freeze
["abc", "abcbd"].each do |text|
  [text.partition(frozen_separator), text.rpartition(frozen_separator)].each { |parts| p parts, parts[1].equal?(frozen_separator) }
end
p "abc".partition(Struct.new(:to_str).new("b"))
