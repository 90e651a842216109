# The library's own resolver can be given others.
require "resolv"
class Fixed
  def each_address(name) = name == "known.example" && yield("192.0.2.7")
  def each_name(address) = yield("name-of-#{address}")
end
p Resolv::DefaultResolver.respond_to?(:replace_resolvers), Resolv.new([]).respond_to?(:replace_resolvers)
Resolv::DefaultResolver.replace_resolvers([Fixed.new])
p Resolv.getaddress("known.example"), Resolv.getaddresses("other.example"), Resolv.getname("192.0.2.8")
begin
  Resolv.getaddress("other.example")
rescue Resolv::ResolvError => error
  p error.message
end
