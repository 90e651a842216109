require "openssl"

def certificate(key, name, issuer = nil, issuer_key = key)
  cert = OpenSSL::X509::Certificate.new
  cert.version = 2
  cert.serial = name.sum
  cert.subject = OpenSSL::X509::Name.parse("/CN=#{name}")
  cert.issuer = issuer ? issuer.subject : cert.subject
  cert.public_key = key
  cert.not_before = Time.at(1_600_000_000)
  cert.not_after = Time.at(1_900_000_000)
  cert.sign(issuer_key, OpenSSL::Digest.new("SHA256"))
end

def try
  p yield
rescue => e
  puts "#{e.class}: #{e.message}"
end

ca_key = OpenSSL::PKey::RSA.new(2048)
ca = certificate(ca_key, "ca")
key = OpenSSL::PKey::RSA.new(2048)
own = certificate(key, "own", ca, ca_key)

made = OpenSSL::PKCS12.create("secret", "alias", key, own)
p made.key.to_der == key.to_der, made.certificate == own, made.ca_certs
p made.to_der.encoding, made.to_der.getbyte(0)
read = OpenSSL::PKCS12.new(made.to_der, "secret")
p read.key.class, read.key.n == key.n, read.certificate.subject.to_s, read.ca_certs
try { OpenSSL::PKCS12.new(made.to_der, "wrong").key }
[made.to_der.sub(/.{40}\z/mn, "x" * 40), "nonsense", ""].each do |changed|
  OpenSSL::PKCS12.new(changed, "secret")
rescue OpenSSL::PKCS12::PKCS12Error
  puts "refused"
end

chained = OpenSSL::PKCS12.create("secret", "alias", key, own, [ca])
p chained.ca_certs.map { |one| one.subject.to_s }
p OpenSSL::PKCS12.new(chained.to_der, "secret").ca_certs.map(&:to_der) == [ca.to_der]

old = OpenSSL::PKCS12.create("secret", nil, key, own, nil, "PBE-SHA1-3DES", "PBE-SHA1-3DES", 3000, 1000)
p OpenSSL::PKCS12.new(old.to_der, "secret").key.n == key.n
curve = OpenSSL::PKey::EC.generate("prime256v1")
both = OpenSSL::PKCS12.create("", "curve", curve, certificate(curve, "curve"))
p OpenSSL::PKCS12.new(both.to_der, "").key.class
try { OpenSSL::PKCS12.create("secret", "alias", ca_key, own) }
try { OpenSSL::PKCS12.create("secret", "alias", key, own, nil, "nonsense") }
try { OpenSSL::PKCS12.create("sec\0ret", "alias", key, own) }
empty = OpenSSL::PKCS12.new
p empty.key, empty.certificate, empty.ca_certs
