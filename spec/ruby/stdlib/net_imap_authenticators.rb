# The mechanisms of Net::IMAP with the examples of RFC 2195 and RFC 2831, and those of Net::SMTP beside them. Recorded with net-imap 0.2.3 whose DIGEST-MD5
# does not freeze its strings: as released, it fails at a frozen one whatever the challenge.
require "net/imap"
require "net/smtp"
p Net::IMAP.authenticator("cram-md5", "tim", "tanstaaftanstaaf").process("<1896.697170952@postoffice.reston.mci.net>")
p Net::SMTP.allocate.send(:cram_md5_response, "tanstaaftanstaaf", "<1896.697170952@postoffice.reston.mci.net>")
p Net::SMTP.allocate.send(:cram_md5_response, "long" * 40, "<1@x>")
# What a client answers to the challenge, as a hash; the response is computed anew from the other fields.
def digest(challenge, *arguments, password: "secret")
  mechanism = Net::IMAP.authenticator("DIGEST-MD5", "chris".dup, password, *arguments)
  fields = mechanism.process(challenge).scan(/([\w-]+)=(?:"([^"]*)"|([^,]*))/).to_h { |name, quoted, plain| [name, quoted || plain] }
  puts fields.except("cnonce", "response").map { |pair| pair.join("=") }.join(" ")
  p fields["response"] == response(fields, password), fields["cnonce"].size
  p mechanism.process("rspauth=ea40f60335c427b5527b84dbabcdfffd")
end
def response(fields, password)
  md5 = ->(text) { OpenSSL::Digest.hexdigest("MD5", text) }
  first = OpenSSL::Digest.digest("MD5", "#{fields["username"]}:#{fields["realm"]}:#{password}") + ":#{fields["nonce"]}:#{fields["cnonce"]}".b
  first << ":#{fields["authzid"]}" if fields["authzid"]
  md5["#{md5[first]}:#{fields.values_at("nonce", "nc", "cnonce", "qop").join(":")}:#{md5["AUTHENTICATE:#{fields["digest-uri"]}"]}"]
end
EXAMPLE = { "username" => "chris", "realm" => "elwood.innosoft.com", "nonce" => "OA6MG9tEQGm2hh", "nc" => "00000001", "cnonce" => "OA6MHXh6VqTrRk", "digest-uri" => "imap/elwood.innosoft.com", "qop" => "auth" }.freeze
p response(EXAMPLE, "secret")
CHALLENGE = 'realm="elwood.innosoft.com",nonce="OA6MG9tEQGm2hh",qop="auth",algorithm=md5-sess,charset=utf-8'
digest(CHALLENGE)
digest(CHALLENGE, "other".dup)
digest(CHALLENGE, password: "s\u00e9cret")
digest('nonce="x", realm="r", qop="auth,auth-int", algorithm=md5-sess')
