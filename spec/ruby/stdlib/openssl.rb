require "openssl"
rsa = OpenSSL::PKey::RSA.new(File.read("fixtures/rsa.pem"))
p rsa.n.num_bits, rsa.e.to_i, rsa.private?, rsa.public_key.private?, rsa.to_pem == File.read("fixtures/rsa.pem"), OpenSSL::Digest::SHA256.hexdigest(rsa.public_key.to_pem)
sig = rsa.sign(OpenSSL::Digest.new("SHA256"), "data")
p OpenSSL::Digest::SHA1.hexdigest(sig), rsa.verify("SHA256", sig, "data"), rsa.public_key.verify(OpenSSL::Digest::SHA256.new, sig, "datb")
p rsa.private_decrypt(rsa.public_encrypt("secret")), rsa.private_decrypt(rsa.public_encrypt("oaep", 4), 4), rsa.public_decrypt(rsa.private_encrypt("x")), OpenSSL::Digest::SHA1.hexdigest(rsa.private_encrypt("abc"))
p rsa.verify_pss("SHA256", rsa.sign_pss("SHA256", "d", salt_length: :max, mgf1_hash: "SHA256"), "d", salt_length: :auto, mgf1_hash: "SHA256")
ec = OpenSSL::PKey::EC.new(File.read("fixtures/ec.pem"))
p ec.group.curve_name, ec.private?, ec.to_pem == File.read("fixtures/ec.pem"), ec.public_key.to_bn.to_s(16)[0, 20]
s = ec.sign("SHA256", "data"); p ec.verify("SHA256", s, "data"), (ec.verify("SHA256", s, "datb"))
ec2 = OpenSSL::PKey::EC.generate("secp384r1"); p ec2.verify("SHA384", ec2.sign("SHA384", "z"), "z"), OpenSSL::PKey.read(ec2.to_pem).public_key == ec2.public_key
cert = OpenSSL::X509::Certificate.new(File.read("fixtures/cert.pem"))
p cert.subject.to_s, cert.issuer.to_a, cert.serial.to_s, cert.version, cert.not_before.class, cert.not_after - cert.not_before, cert.signature_algorithm, cert.extensions.map(&:to_a), cert.verify(cert.public_key), cert.check_private_key(rsa), cert.to_pem == File.read("fixtures/cert.pem")
name = OpenSSL::X509::Name.parse("/C=US/O=Org/CN=example.com")
p name.to_s, name.to_a, name.to_s(OpenSSL::X509::Name::RFC2253), name.to_s(OpenSSL::X509::Name::ONELINE), name == OpenSSL::X509::Name.new([["C", "US"], ["O", "Org"], ["CN", "example.com"]]), OpenSSL::Digest::SHA1.hexdigest(name.to_der)
c = OpenSSL::X509::Certificate.new
c.version = 2; c.serial = 7; c.subject = c.issuer = name; c.public_key = rsa.public_key; c.not_before = Time.utc(2020, 1, 1); c.not_after = Time.utc(2051, 1, 1)
ef = OpenSSL::X509::ExtensionFactory.new; ef.subject_certificate = c; ef.issuer_certificate = c
c.extensions = [ef.create_extension("basicConstraints", "CA:TRUE,pathlen:1", true), ef.create_extension("keyUsage", "keyCertSign, cRLSign", true), ef.create_extension("subjectKeyIdentifier", "hash")]
c.add_extension ef.create_extension("authorityKeyIdentifier", "keyid:always")
c.add_extension ef.create_extension("extendedKeyUsage", "serverAuth,clientAuth")
c.add_extension ef.create_extension("subjectAltName", "DNS:a.example.com,IP:10.0.0.1,email:x@y.z,URI:http://h/")
c.sign(rsa, OpenSSL::Digest.new("SHA256"))
p OpenSSL::Digest::SHA256.hexdigest(c.to_der), c.extensions.map(&:to_s), OpenSSL::X509::Certificate.new(c.to_pem).subject == name
r = OpenSSL::X509::Request.new; r.version = 0; r.subject = name; r.public_key = rsa.public_key; r.sign(rsa, "SHA256")
p OpenSSL::Digest::SHA256.hexdigest(r.to_der), r.verify(rsa.public_key), OpenSSL::X509::Request.new(r.to_pem).subject.to_s
p OpenSSL::HMAC.hexdigest("SHA256", "k", "d"), OpenSSL::Digest.new("sha1").update("x").hexdigest, OpenSSL::BN.new("10").mod_exp(3, 7).to_i, OpenSSL::BN.new(255).to_s(16), OpenSSL::BN.new("ff", 16).to_i
[["x", OpenSSL::PKey::RSA], ["x", OpenSSL::X509::Certificate], ["x", OpenSSL::PKey::EC]].each { |t, k| begin; k.new(t); rescue => e; p e.class; end }
begin; OpenSSL::PKey.read("junk"); rescue => e; p e.class; end
st = OpenSSL::X509::Store.new; p st.verify(c), st.error, st.error_string; st.add_cert(c); p st.verify(c), st.error_string
p OpenSSL::ASN1.decode(OpenSSL::ASN1::Sequence([OpenSSL::ASN1::Integer(5), OpenSSL::ASN1::UTF8String("hi"), OpenSSL::ASN1::ObjectId("CN")]).to_der).value.map(&:value).map(&:to_s)
crl = OpenSSL::X509::CRL.new; crl.version = 1; crl.issuer = name; crl.last_update = Time.utc(2020); crl.next_update = Time.utc(2021); rv = OpenSSL::X509::Revoked.new; rv.serial = 3; rv.time = Time.utc(2020); crl.add_revoked(rv); crl.sign(rsa, "SHA256"); p OpenSSL::Digest::SHA256.hexdigest(crl.to_der), crl.verify(rsa.public_key), OpenSSL::X509::CRL.new(crl.to_pem).revoked.map { |x| x.serial.to_i }
