require "openssl"
A = OpenSSL::ASN1
def der(value) = puts(value.to_der.unpack1("H*"))
der A::Sequence([A::Integer(1), A::OctetString("ab"), A::ObjectId("prime256v1", 0, :EXPLICIT), A::BitString("\x04\x02", 1, :EXPLICIT)])
der A::Integer(5, 2, :IMPLICIT)
der A::Sequence([A::Null(nil)], 3, :IMPLICIT)
der A::Sequence([A::Null(nil)], 3, :EXPLICIT)
der A::UTF8String("x", 1, :IMPLICIT, :APPLICATION)
p A::Integer(5, 2, :IMPLICIT).tag_class, A::Integer(5).tag_class, A::Integer(5).tagging, A::Integer(5, 2, :EXPLICIT).tag
p A::ObjectId("CRLReason").to_der.unpack1("H*"), OpenSSL::HMAC.hexdigest("SHA256", "", "abc")
key = OpenSSL::PKey::EC.generate("prime256v1")
parts = [A::Integer(1), A::OctetString(key.private_key.to_s(2)), A::ObjectId("prime256v1", 0, :EXPLICIT), A::BitString(key.public_key.to_octet_string(:uncompressed), 1, :EXPLICIT)]
p OpenSSL::PKey::EC.new(A::Sequence(parts).to_der).private?
ef = OpenSSL::X509::ExtensionFactory.new
ef.config = OpenSSL::Config.parse("[crlDistPts]\nURI.1 = http://www.example.com/crl\n")
p ef.create_extension("crlDistributionPoints", "@crlDistPts").to_s
