# String#crypt: MD5, SHA-256 and SHA-512 as libxcrypt has them, and what it refuses.
def t
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end
["$1$", "$1$salt", "$1$saltstring$x", "$1$a$b$c", "$1", "$5$saltstring", "$5$rounds=1000$saltstringsaltstring", "$6$", "$6$saltstringsaltstringsaltstring", "$6$a$b", "$6$rounds=10$low", "$6", "$9$a", "a!", "!a", "*0", "é", "$6$a b", "f", "a\0"].each do |setting|
  t { ["hello world".crypt(setting), "".crypt(setting), ("x" * 200).crypt(setting)] }
end
(0..130).step(7) { |length| t { ("é" + "a" * length).crypt("$1$abcdefgh") } }
t { "x\0".crypt("$5$aa") }
t { "é".crypt("$5$aa").encoding }
t { "x".crypt(5) }
t { Class.new(String).new("hello").crypt("$5$aa").class }
