# PKCS#7: contents encrypted for the holder of a certificate, and signed ones.
require 'openssl'
key=OpenSSL::PKey::RSA.new(2048)
cert=OpenSSL::X509::Certificate.new; cert.version=2; cert.serial=7; cert.subject=cert.issuer=OpenSSL::X509::Name.parse("/CN=t"); cert.public_key=key.public_key; cert.not_before=Time.now-10; cert.not_after=Time.now+1000; cert.sign(key,"SHA256")
begin; OpenSSL::PKCS7.new("junk"); rescue => e; p e.class,e.message; end
e=OpenSSL::PKCS7.encrypt([cert],"hello",OpenSSL::Cipher.new("aes-256-cbc"),OpenSSL::PKCS7::BINARY)
p e.type, e.to_der.encoding, e.to_pem.lines.first, e.recipients.map{|r| [r.class,r.issuer.to_s,r.serial.to_i,r.enc_key.size]}, e.data, e.certificates, e.detached?, e.error_string
d=OpenSSL::PKCS7.new(e.to_der); p d.decrypt(key,cert), (d.decrypt(key) rescue $!)
k2=OpenSSL::PKey::RSA.new(2048); begin; p d.decrypt(k2,cert).size; rescue => x; p x.class, x.message; end
s=OpenSSL::PKCS7.sign(cert,key,"data",[],OpenSSL::PKCS7::BINARY)
p s.type, s.signers.map{|r| [r.issuer.to_s, r.serial.to_i, r.signed_time.class]}, s.certificates.map{|c| c.serial.to_i}, s.data, s.detached?, s.detached
st=OpenSSL::X509::Store.new; st.add_cert(cert)
p s.verify([cert],st), s.data, s.error_string
p OpenSSL::PKCS7.new(s.to_pem).verify([],OpenSSL::X509::Store.new), s.verify([],OpenSSL::X509::Store.new), s.error_string
t=OpenSSL::PKCS7.sign(cert,key,"data",[],OpenSSL::PKCS7::DETACHED|OpenSSL::PKCS7::BINARY); p t.detached?, t.verify([],st,"data"), t.verify([],st,"datx"), t.error_string
m=OpenSSL::PKCS7.write_smime(s); p m.lines.first, OpenSSL::PKCS7.read_smime(m).data, OpenSSL::PKCS7.read_smime(m).verify([],st)
p OpenSSL::PKCS7.write_smime(t,"data").lines.first
q=OpenSSL::PKCS7.new; q.type=:signed; q.add_signer(OpenSSL::PKCS7::SignerInfo.new(cert,key,OpenSSL::Digest.new("SHA256"))); q.add_certificate(cert); q.add_data("yy"); p q.type, OpenSSL::PKCS7.new(q.to_der).verify([],st,nil,OpenSSL::PKCS7::BINARY) rescue p $!
p OpenSSL::PKCS7.new.type rescue p $!
p %w[TEXT NOCERTS NOSIGS NOCHAIN NOINTERN NOVERIFY DETACHED BINARY NOATTR NOSMIMECAP].map{|x| OpenSSL::PKCS7.const_get(x)}
p OpenSSL::PKCS7.new(File.read("/dev/null")) rescue p $!
