# OpenSSL: names of certificates, how they are escaped in each form.
require "openssl"
n=OpenSSL::X509::Name.parse("/CN=a,b/O=x\"y<z>;+=#/OU=\u00e9 /L= lead"); p n; puts n.to_s; n=OpenSSL::X509::Name.new([["CN","a\x00b\n"],["O","é"],["C","#x"]]); p n
p OpenSSL::X509::Name.new([["CN","a\\b"],["O",""],["O"," "],["OU","#"],["OU","a b"],["DC","x\ty"]])
puts n.to_s(OpenSSL::X509::Name::RFC2253), n.to_utf8, n.to_s(OpenSSL::X509::Name::ONELINE)
