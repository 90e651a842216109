# Tags, classes and lengths of ASN.1 values; the names of objects; the numbers of X509::Name.
require "openssl"
A = OpenSSL::ASN1
def told
  value = yield
  p(value.is_a?(String) ? value.unpack1("H*") : value)
rescue A::ASN1Error, TypeError => e
  puts "#{e.class}: #{e.message}"
end
def shape(made)
  value = made.value.is_a?(Array) ? made.value.map { |part| shape(part) } : (made.value.is_a?(OpenSSL::BN) ? made.value.to_i : made.value)
  [made.class.name.split("::").last, made.tag, made.tag_class, made.indefinite_length, value]
end

p A::UNIVERSAL_TAG_NAME, A::GRAPHICSTRING, A::EOC
["0000", "000100", "01020000", "0300", "0303 08ff00".delete(" "), "050100", "0600", "060180", "", "30", "3005020101", "02010102", "308002010100 00".delete(" "), "02800100 00".delete(" "), "1f8100 00".delete(" "),
 "04 84ffffffff".delete(" "), "c102abcd", "6180c202abcd0000", "2480040101000 0".delete(" "), "1f2000", "12023132", "1b0161", "170b31363039303832333433 5a".delete(" ")].each do |hex|
  told { shape(A.decode([hex].pack("H*"))) }
end
told { A::Sequence.new([A::Integer.new(1)], 0, :EXPLICIT).to_der }
told { A::Sequence.new([A::Integer.new(1)], 3, :IMPLICIT, :APPLICATION).to_der }
told { A::Integer.new(5, 1).to_der }
told { A::OctetString.new("a", 40, :EXPLICIT, :PRIVATE).to_der }
told { A::Constructive.new([], 5, :EXPLICIT).to_der }
told { A::ASN1Data.new("x", 8224, :UNIVERSAL).to_der }
told { A::Sequence.new([A::Null.new(nil), A::EndOfContent.new]).tap { |made| made.indefinite_length = true }.to_der }
told { A::Sequence.new([A::EndOfContent.new, A::Null.new(nil)]).tap { |made| made.indefinite_length = true }.to_der }
told { A::ASN1Data.new("x", 1, :UNIVERSAL).tap { |made| made.indefinite_length = true }.to_der }
told { A::Primitive.new([], 1).to_der }
told { A::Boolean.new(nil).to_der }
told { A::Null.new(5).to_der }
told { A::Integer.new(5, 1, :IMPLICIT, "x") }
told { A::BitString.new("ab").tap { |made| made.unused_bits = 8 }.to_der }
told { A::UTCTime.new(0).to_der }
%w(sha256 SHA256 challengePassword 1.2.840.113549.1.9.14 1.2.3.4 commonName).each do |name|
  told { [A::ObjectId.new(name).oid, A::ObjectId.new(name).sn, A::ObjectId.new(name).ln] }
end
%w(foo 3.0).each { |name| p((A::ObjectId.new(name).oid rescue $!.class)) }
told { A::ObjectId.new("sha256") == A::ObjectId.new("SHA256") }
told { A::ObjectId.register("1.2.3.4.5.6.7", "rchef-sn", "rchef-ln") }
told { A::ObjectId.new("rchef-ln").oid }
told { A::ObjectId.register("1.2.3.4.5.6.7", "rchef-sn", "rchef-ln") }
A.traverse(["30070500300004 0100".delete(" ")].pack("H*")) { |*row| p row }
told { A.decode_all(["020101020102"].pack("H*")).map { |made| made.value.to_i } }
name = OpenSSL::X509::Name.parse("/C=DE/O=Some  Company /CN=Example")
p name.hash, name.hash_old, name <=> "x", name.cmp(OpenSSL::X509::Name.new(A.decode(name.to_der)))
