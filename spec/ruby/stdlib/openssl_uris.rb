# What extensions of a certificate say: identifiers, and addresses of revocation lists, issuers and answers.
require "openssl"
key = OpenSSL::PKey::RSA.new(2048)
certificate = OpenSSL::X509::Certificate.new
certificate.version = 2
certificate.serial = 7
certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=t")
certificate.public_key = key.public_key
certificate.not_before = Time.at(0)
certificate.not_after = Time.at(2**31 - 1)
p certificate.crl_uris, certificate.ca_issuer_uris, certificate.ocsp_uris, certificate.subject_key_identifier, certificate.authority_key_identifier
factory = OpenSSL::X509::ExtensionFactory.new(certificate, certificate)
certificate.add_extension(factory.create_extension("crlDistributionPoints", "URI:http://a.test/x.crl,URI:http://b.test/y.crl"))
certificate.add_extension(factory.create_extension("authorityInfoAccess", "caIssuers;URI:http://a.test/ca.cer,OCSP;URI:http://a.test/ocsp"))
certificate.add_extension(factory.create_extension("subjectKeyIdentifier", "hash"))
certificate.add_extension(factory.create_extension("authorityKeyIdentifier", "keyid:always"))
certificate.sign(key, "SHA256")
p certificate.crl_uris, certificate.ca_issuer_uris, certificate.ocsp_uris, certificate.subject_key_identifier.bytesize, certificate.authority_key_identifier == certificate.subject_key_identifier
p OpenSSL::X509::Certificate.include?(OpenSSL::X509::Extension::CRLDistributionPoints), OpenSSL::X509::CRL.include?(OpenSSL::X509::Extension::AuthorityKeyIdentifier)
context = OpenSSL::SSL::SSLContext.new
p context.session_cache_size, context.session_cache_mode, context.session_id_context, context.session_new_cb, context.add_certificate(certificate, key).equal?(context)
begin; context.add_certificate(certificate, OpenSSL::PKey::RSA.new(2048)); rescue => e; p e.class; end
p context.setup, context.frozen?, context.setup
p OpenSSL::SSL::OP_ENABLE_MIDDLEBOX_COMPAT, OpenSSL::X509::V_ERR_OUT_OF_MEM, OpenSSL::X509::TRUST_SSL_CLIENT, OpenSSL::SSL::SSLContext::SESSION_CACHE_CLIENT | OpenSSL::SSL::SSLContext::SESSION_CACHE_NO_INTERNAL_STORE
