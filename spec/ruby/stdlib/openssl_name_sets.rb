# Names whose entries stand together: a plus is between them, and their bytes are one set.
require "openssl"
name = OpenSSL::X509::Name.new
p name.to_s, name.to_s(OpenSSL::X509::Name::COMPAT), name.to_utf8, name.to_der
name.add_entry("CN", "root")
name.add_entry("O", "Nuvöton", set: -1)
name.add_entry("OU", "c+d")
name.add_entry("C", "TW", loc: 0)
name.add_entry("emailAddress", "a@b")
forms = %i[COMPAT RFC2253 ONELINE]
p name.to_s, *forms.map { |form| name.to_s(OpenSSL::X509::Name.const_get(form)) }, name.to_a
puts name.to_utf8, name.to_der.unpack1("H*"), name.hash
read = OpenSSL::X509::Name.new(name.to_der)
p read.to_der == name.to_der, read.eql?(name), read.hash == name.hash, read <=> name
other = OpenSSL::X509::Name.new([["C", "TW"], ["CN", "root"], ["O", "Nuvöton"], ["OU", "c+d"], ["emailAddress", "a@b"]])
p other.eql?(name), other.to_s
swapped = OpenSSL::X509::Name.new.add_entry("O", "b").add_entry("CN", "a", set: -1)
straight = OpenSSL::X509::Name.new.add_entry("CN", "A").add_entry("O", "b", set: -1)
p swapped.eql?(straight), swapped.to_s, straight.to_s(OpenSSL::X509::Name::MULTILINE)
p OpenSSL::X509::Name.parse("/C=US/O=Atm,el/CN=A+B/emailAddress=a@b").to_s(OpenSSL::X509::Name::COMPAT)
