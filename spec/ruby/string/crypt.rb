# String#crypt: DES, SHA-256 and SHA-512 as libxcrypt has them, and what it refuses.
def t
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end
["aa", "Mi", "./", "aab", "$5$saltstring", "$5$rounds=1000$saltstringsaltstring", "$6$", "$6$saltstringsaltstringsaltstring", "$6$a$b", "$6$rounds=10$low", "$6", "$9$a", "a!", "!a", "*0", "é", "$6$a b", "f", "a\0"].each do |setting|
  t { ["hello world".crypt(setting), "".crypt(setting), ("x" * 200).crypt(setting)] }
end
t { "x\0".crypt("aa") }
t { "é".crypt("aa").encoding }
t { "x".crypt(5) }
t { Class.new(String).new("hello").crypt("aa").class }
