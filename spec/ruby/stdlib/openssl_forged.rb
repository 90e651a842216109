# What was forged or changed is refused.
require "openssl"
def try
  p yield
rescue OpenSSL::OpenSSLError, ArgumentError => error
  puts error.class
end

# GCM without its tag, with a part of it or with another
def seal(text)
  cipher = OpenSSL::Cipher.new("aes-256-gcm").encrypt
  cipher.key, cipher.iv, cipher.auth_data = "k" * 32, "i" * 12, ""
  [cipher.update(text) + cipher.final, cipher.auth_tag]
end
def open_sealed(data, tag)
  cipher = OpenSSL::Cipher.new("aes-256-gcm").decrypt
  cipher.key, cipher.iv, cipher.auth_data = "k" * 32, "i" * 12, ""
  cipher.auth_tag = tag if tag
  cipher.update(data) + cipher.final
end
sealed, tag = seal("transfer 100")
changed = sealed.dup
changed.setbyte(9, changed.getbyte(9) ^ 8)
try { open_sealed(sealed, tag) }
try { open_sealed(changed, tag) }
try { open_sealed(changed, "") }
try { open_sealed(changed, nil) }
try { open_sealed(sealed, tag.reverse) }
try { open_sealed(sealed, tag + "x") }

X = OpenSSL::X509
CA_KEY, KEY = Array.new(2) { OpenSSL::PKey::EC.generate("prime256v1") }
def certificate(name, key, issuer, issuer_key, extensions, ending: 86_400)
  @serial = @serial.to_i + 1
  made = X::Certificate.new
  made.version, made.serial, made.public_key = 2, @serial, key
  made.subject = X::Name.parse("/CN=#{name}")
  made.issuer = issuer ? issuer.subject : made.subject
  made.not_before, made.not_after = Time.now - 86_400, Time.now + ending
  factory = X::ExtensionFactory.new(issuer || made, made)
  extensions.each { |each| made.add_extension(factory.create_extension(*each)) }
  made.sign(issuer_key, "SHA256")
end
def check(store, *chain, **options, &block)
  [store.verify(chain[0], chain.drop(1), &block), store.error, store.error_string]
end
CA = certificate("ca", CA_KEY, nil, CA_KEY, [["basicConstraints", "CA:TRUE,pathlen:0", true], ["keyUsage", "keyCertSign,cRLSign", true]])
LEAF = certificate("leaf", KEY, CA, CA_KEY, [["basicConstraints", "CA:FALSE", true], ["keyUsage", "digitalSignature", true], ["extendedKeyUsage", "clientAuth", false]])
def trusting(*certificates) = X::Store.new.tap { |store| certificates.each { |each| store.add_cert(each) } }

# chains
p check(trusting(CA), LEAF), check(X::Store.new, LEAF), check(X::Store.new, LEAF, CA), check(trusting(LEAF), LEAF)
bank = certificate("bank", KEY, LEAF, KEY, [["subjectAltName", "DNS:bank.example", false]])
p check(trusting(CA), bank, LEAF)
sub = certificate("sub", KEY, CA, CA_KEY, [["basicConstraints", "CA:TRUE", true], ["keyUsage", "keyCertSign", true]])
p check(trusting(CA), certificate("below", KEY, sub, KEY, []), sub)
p check(trusting(CA), certificate("old", KEY, CA, CA_KEY, [], ending: -1))
p check(trusting(CA), certificate("stranger", KEY, CA, KEY, []))
p check(trusting(CA), certificate("odd", KEY, CA, CA_KEY, [["nsComment", "text", true]]))
store = trusting(CA)
store.purpose = X::PURPOSE_SSL_SERVER
p check(store, LEAF)
store.purpose = X::PURPOSE_SSL_CLIENT
p check(store, LEAF)
store.time = Time.now + 10 * 86_400
p check(store, LEAF)

# revocation
list = X::CRL.new
list.version, list.issuer, list.last_update, list.next_update = 1, CA.subject, Time.now - 10, Time.now + 100
revoked = X::Revoked.new
revoked.serial, revoked.time = LEAF.serial, Time.now - 5
list.add_revoked(revoked)
list.sign(CA_KEY, "SHA256")
store = trusting(CA)
store.flags = X::V_FLAG_CRL_CHECK
p check(store, LEAF)
store.add_crl(list)
p check(store, LEAF), check(trusting(CA), LEAF)

# what a callback says
seen = []
p check(trusting(CA), LEAF) { |passed, context| seen << [passed, context.error, context.error_depth, context.current_cert.subject.to_s]; passed }, seen
p check(trusting(CA), LEAF) { false }
p check(X::Store.new, LEAF) { true }
store = trusting(CA)
store.verify_callback = proc { |_, context| context.error_depth != 0 }
p check(store, LEAF)

# signatures
p LEAF.verify(CA_KEY), LEAF.verify(KEY), list.verify(CA_KEY), list.verify(KEY)
der = LEAF.to_der
at = der.index("leaf")
forged = X::Certificate.new(der[0...at] + "lead" + der[(at + 4)..])
p forged.subject.to_s, forged.verify(CA_KEY), check(trusting(CA), forged)
p X::Certificate.new(der).to_der == der, LEAF == X::Certificate.new(LEAF.to_pem)
rsa = OpenSSL::PKey::RSA.new(1024)
signature = rsa.sign("SHA256", "text")
p rsa.verify("SHA256", signature, "text"), rsa.verify("SHA256", signature, "texts"), rsa.verify("SHA256", "", "text"), rsa.verify("SHA256", "\0" * 128, "text"), rsa.verify("SHA1", signature, "text")
try { rsa.private_decrypt("\1" * 128) }
try { rsa.private_decrypt("\1" * 128, OpenSSL::PKey::RSA::PKCS1_OAEP_PADDING) }
signature = KEY.dsa_sign_asn1("h" * 32)
p KEY.dsa_verify_asn1("h" * 32, signature), KEY.dsa_verify_asn1("i" * 32, signature)
try { KEY.dsa_verify_asn1("h" * 32, "no signature") }
p OpenSSL::Cipher.ciphers.size > 150, %w(des3 aes-256-cbc camellia-128-cbc seed-cbc rc4 bf-cbc chacha20-poly1305).all? { |name| OpenSSL::Cipher.ciphers.include?(name) }
