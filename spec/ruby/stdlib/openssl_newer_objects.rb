# Objects that came after libcrypto 3.0 have figures only.
require "openssl"
p OpenSSL::ASN1::ObjectId("2.23.133.2.1").sn, OpenSSL::ASN1::ObjectId("2.23.133.8.3").value, OpenSSL::ASN1::ObjectId("2.5.4.3").sn
factory = OpenSSL::X509::ExtensionFactory.new
p factory.create_extension("extendedKeyUsage", "2.23.133.8.3,serverAuth").value
context = OpenSSL::SSL::SSLContext.new
context.npn_protocols = ["h2"]
p context.npn_protocols, context.npn_select_cb
