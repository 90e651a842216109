# What `initialize` of built-in classes returns, for subclasses that go on with the result of `super`.
%w[stringio set date digest openssl strscan pathname socket].each { |name| require name }
{
  StringIO => ["x"], String => ["x"], Array => [2], Hash => [1], Object => [], Range => [1, 2], Regexp => ["a"], StandardError => [], KeyError => ["a"], SystemExit => [1],
  SystemCallError => ["x", 2], Errno::ENOENT => [], Set => [[1]], Queue => [], SizedQueue => [1], Random => [1], File => ["/"], IO => [1], Dir => ["/"], Time => [2000], Date => [2000, 1, 1],
  StringScanner => ["x"], OpenSSL::HMAC => ["k", "SHA256"], OpenSSL::BN => ["1"], OpenSSL::Cipher => ["aes-128-cbc"], Pathname => ["/"], Encoding::Converter => ["UTF-8", "UTF-16"], Class => []
}.each do |type, arguments|
  made = type.allocate
  result = made.__send__(:initialize, *arguments)
  puts "#{type}: #{made.equal?(result) ? "self" : result.inspect}"
end
text = Class.new(StringIO) { def initialize(text) = super(text).set_encoding("UTF-16LE") }
p text.new("ab").external_encoding
