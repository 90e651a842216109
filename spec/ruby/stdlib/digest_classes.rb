# Digest's classes and those of OpenSSL: what is shared, own digests, RMD160, Bubble Babble.
def t
  p yield
rescue Exception => error
  puts "#{error.class}: #{error.message.lines.first.chomp.sub(/0x\h+/, '')}"
end
require 'digest'
require 'openssl'
require 'digest/bubblebabble'
p Digest::Instance.instance_methods(false).sort
p Digest::Class.instance_methods(false).sort, Digest::Class.singleton_methods(false).sort
p Digest::Base.instance_methods(false).sort, Digest::Base.singleton_methods(false).sort
p Digest.singleton_methods(false).sort
t { Digest::SHA2.new(256).inspect }
t { Digest::SHA2.new(512).name }
t { Digest::SHA2.new(100) }
t { Digest::SHA2.new.to_s }
t { Digest::SHA2.new.digest_length }
t { Digest::SHA2.instance_methods(false).sort }
t { Digest::SHA2.ancestors.first(4) }
t { Digest::Base.new }
t { Digest::Class.new.update("x") }
t { Digest::Class.new.digest }
t { Digest::Class.new.hexdigest }
t { Digest::Class.new.reset }
t { Digest::Class.new.digest_length }
t { Digest::Class.new.block_length }
t { Digest::Class.new.inspect }
t { Digest::Class.new.finish }
t { Digest::Class.digest("x") }
t { Digest::RMD160.hexdigest("x") }
t { Digest::RMD160.new.block_length }
t { Digest::FOO }
t { Digest::Foo }
t { Digest(:MD5) }
t { Digest(:Nope) }
t { Digest::MD5.bubblebabble("x") }
t { Digest::MD5.new.update("abc").bubblebabble }
t { Digest.bubblebabble("abc") }
t { Digest.bubblebabble("") }
t { Digest::MD5.new == Digest::MD5.new }
t { Digest::MD5.new == "d41d8cd98f00b204e9800998ecf8427e" }
t { Digest::MD5.new == nil }
t { Digest::MD5.hexdigest(1) }
t { Digest::MD5.hexdigest(nil) }
t { Digest::MD5.hexdigest("a","b") }
t { Digest::MD5.new.update(3) }
t { Digest::MD5.hexdigest!("x") }
t { d = Digest::MD5.new; d << "a"; [d.digest!, d.digest] }
t { d = Digest::MD5.new; d << "a"; [d.hexdigest("b"), d.hexdigest, d.new.hexdigest] }
t { Digest::VERSION }
class My < Digest::Class; def initialize; @b=+""; end; def update(x) = (@b << x; self); alias << update; def reset = (@b=+""; self); def finish = @b.sum.to_s; def digest_length = 4; end
t { My.digest("abc") }
t { My.hexdigest("abc") }
t { My.new.update("x").inspect }
t { My.base64digest("abc") }
t { My.new << "a" << "b" == My.new.update("ab") }
t { My.new.length }
t { My.new.file(__FILE__).to_s.size }
t { My.file(__FILE__).class }
t { Digest::SHA256.new.dup.update("a").hexdigest[0,5] }
t { Digest::SHA256.new.instance_variables }
t { Digest::SHA256.file("/nonexistent") }
t { Digest::SHA256.base64digest(nil) }
t { Digest::SHA256.hexdigest("a").encoding }
t { Digest::SHA256.digest("a").encoding }
t { Digest.hexencode("a") }
t { Digest.hexencode(1) }
t { OpenSSL::HMAC.hexdigest(Digest::SHA256.new, "k","d") }
t { OpenSSL::HMAC.hexdigest("SHA256", "k","d") }
t { OpenSSL::HMAC.hexdigest("sha256", "k","d") }
t { OpenSSL::HMAC.hexdigest("RIPEMD160", "k","d") }
t { OpenSSL::HMAC.hexdigest("nope", "k","d") }
t { OpenSSL::Digest.new("nope") }
t { OpenSSL::Digest.new(1) }
t { OpenSSL::Digest.new(nil) }
t { OpenSSL::Digest.new }
t { OpenSSL::Digest.new(OpenSSL::Digest::SHA1.new).name }
t { OpenSSL::Digest.new("sha256", "abc").hexdigest }
t { OpenSSL::Digest::SHA256.new("abc").hexdigest }
t { OpenSSL::Digest::SHA256.hexdigest("abc") }
t { OpenSSL::Digest::SHA256.digest("abc") }
t { OpenSSL::Digest::SHA256.base64digest("abc") }
t { OpenSSL::Digest.digest("SHA256", "abc") }
t { OpenSSL::Digest.hexdigest("SHA256", "abc") }
t { OpenSSL::Digest("SHA256") }
t { OpenSSL::Digest.hexdigest("abc") }
t { OpenSSL::Digest::RIPEMD160.hexdigest("abc") }
t { OpenSSL::Digest.new("rmd160").name }
t { OpenSSL::Digest.new("sha-256").name }
t { OpenSSL::Digest.new("sha512-256").name }
t { OpenSSL::Digest::SHA384.new.block_length }
t { OpenSSL::Digest::SHA384.new.digest_length }
t { d = OpenSSL::Digest::SHA384.new; d << "x"; [d.dup.hexdigest[0,4], d.hexdigest[0,4], d.new.hexdigest[0,4], d.reset.hexdigest[0,4]] }
t { OpenSSL::Digest::SHA384.new == OpenSSL::Digest::SHA384.new }
t { OpenSSL::Digest::SHA1.new == Digest::SHA1.new }
t { OpenSSL::Digest::SHA1.new.inspect }
t { OpenSSL::Digest::SHA1.file(__FILE__).class }
t { OpenSSL::Digest::SHA1.superclass }
t { OpenSSL::Digest.superclass }
t { OpenSSL::Digest::MD5.new.is_a?(Digest::Base) }
t { OpenSSL::Digest::SHA1.new.update(1) }
t { OpenSSL::Digest.instance_methods(false).sort }
t { Class.new(OpenSSL::Digest::SHA1).new.hexdigest[0,5] }
t { Class.new(Digest::SHA1).new.hexdigest[0,5] }
t { Digest::SHA256.new.update("a").update("b") == Digest::SHA256.hexdigest("ab") }
o=Object.new; def o.to_int()= 16
def o.to_str()= "x"
p OpenSSL::KDF.scrypt(o, salt: o, N: o, r: o, p: o, length: o).bytesize rescue p $!
["1",1.5,Object.new].each { |x| p (OpenSSL::KDF.scrypt("a", salt: "b", N: x, r: 1, p: 1, length: 1) rescue $!.message.sub(/0x\h+/,'')) }
p (OpenSSL::KDF.scrypt(nil, salt: "b", N: 2, r: 1, p: 1, length: 1) rescue $!); p (OpenSSL::KDF.scrypt("a", salt: "b", N: 2, r: 1, p: 1, length: -1) rescue $!); p (OpenSSL::KDF.scrypt("a", salt: "b", N: 3, r: 1, p: 1, length: 1) rescue $!)
