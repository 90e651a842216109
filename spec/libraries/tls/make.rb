# make.rb DIR: an authority, a certificate of it for localhost, an expired one, and one for the same key that is its own issuer.
require "openssl"
dir = ARGV.fetch(0)
def certificate(name, key, issuer, issuer_key, extensions, ending: 86_400)
  made = OpenSSL::X509::Certificate.new
  made.version = 2
  made.serial = rand(1 << 40)
  made.subject = OpenSSL::X509::Name.parse("/CN=#{name}")
  made.issuer = issuer ? issuer.subject : made.subject
  made.public_key = key
  made.not_before = Time.now - 86_400
  made.not_after = Time.now + ending
  factory = OpenSSL::X509::ExtensionFactory.new(issuer || made, made)
  extensions.each { |id, value, critical| made.add_extension(factory.create_extension(id, value, critical)) }
  made.sign(issuer_key, OpenSSL::Digest.new("SHA256"))
end
authority_key = OpenSSL::PKey::EC.generate("prime256v1")
authority = certificate("Test CA", authority_key, nil, authority_key, [["basicConstraints", "CA:TRUE", true], ["keyUsage", "keyCertSign, cRLSign", true]])
key = OpenSSL::PKey::EC.generate("prime256v1")
server = certificate("localhost", key, authority, authority_key, [["basicConstraints", "CA:FALSE", true], ["subjectAltName", "DNS:localhost", false]])
expired = certificate("localhost", key, authority, authority_key, [["subjectAltName", "DNS:localhost", false]], ending: -3600)
own = certificate("localhost", key, nil, key, [["subjectAltName", "DNS:localhost,IP:127.0.0.1", false]])
client = certificate("somebody", key, authority, authority_key, [["extendedKeyUsage", "clientAuth", false]])
File.write(File.join(dir, "client.pem"), client.to_pem)
File.write(File.join(dir, "expired.pem"), expired.to_pem)
File.write(File.join(dir, "own.pem"), own.to_pem)
File.write(File.join(dir, "ca.pem"), authority.to_pem)
File.write(File.join(dir, "server.pem"), server.to_pem)
File.write(File.join(dir, "key.pem"), key.to_pem)
File.write(File.join(dir, "ca_key.pem"), authority_key.to_pem)
