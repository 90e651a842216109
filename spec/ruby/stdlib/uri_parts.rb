# Parts of URI that few programs use: the grammars' constants, tables, setters of single kinds.
require "uri"
%i[ABS_PATH ABS_URI ABS_URI_REF ESCAPED FRAGMENT HOST OPAQUE PORT QUERY REGISTRY REL_PATH REL_URI REL_URI_REF SCHEME UNSAFE URI_REF USERINFO].each { |name| p [name, URI.const_defined?(name), URI.const_get(name).class, URI.constants.include?(name)] }
p URI::SCHEME.match?("http"), URI::ABS_URI.match("http://u@h:1/p?q#f").captures, URI::REL_URI.match?("a/b"), URI::UNSAFE.match?("a b")
p URI::RFC2396_REGEXP::PATTERN.constants.sort, URI::RFC2396_REGEXP::PATTERN::PORT, URI::PATTERN::SCHEME.class, URI::REGEXP::PATTERN::ALNUM
p URI::VERSION_CODE, URI::TBLDECWWWCOMP_.size, URI::TBLDECWWWCOMP_["%4a"], URI::TBLDECWWWCOMP_["+"], URI::TBLDECWWWCOMP_["%e3"], URI::WEB_ENCODINGS_["latin2"], URI::WEB_ENCODINGS_["sjis"], URI::WEB_ENCODINGS_.size
["http://u:p@example.com:80/a/b?c=d#e", "mailto:a@b", "HTTP://[::1]:3/x", "http://[v1.a:b]/", "urn:isbn:1", "//h/p", "http://a b/", "http://1.2.3.4/%41", "http:", "x", "http://h:99/#"].each do |text|
  match = URI::RFC3986_Parser::RFC3986_URI.match(text)
  p match && %w[scheme authority userinfo host port path-abempty path-absolute path-rootless query fragment IPv6address IPv4address IPvFuture reg-name].map { |name| match[name] }
  match = URI::RFC3986_Parser::RFC3986_relative_ref.match(text)
  p match && %w[authority host path-abempty path-absolute path-noscheme query fragment].map { |name| match[name] }
end
p URI::RFC3986_Parser::RFC3986_URI.names.sort
mail = URI("mailto:a@b.c?subject=x&cc=d@e")
p mail.to, mail.headers, mail.__send__(:set_to, "q@r"), mail.to, mail.__send__(:set_headers, "a=b"), mail.headers, mail.to_s, URI::MailTo::DEFAULT_PORT
begin; mail.set_to("x"); rescue NoMethodError => e; p e.message[/\A[^<]*/]; end
mail.headers = "subject=y"
p mail.to_s, mail.to_mailtext
p URI::FTP::TYPECODE_PREFIX, URI("ftp://h/p;type=a").typecode, URI("ftp://h/p;type=a").to_s, URI::FTP.build(["u", "h", 21, "p", "i"]).to_s
file = URI("file:///x")
begin; file.user = "a"; rescue => e; p e.class, e.message; end
begin; file.check_user("a"); rescue => e; p e.class, e.message; end
begin; URI("http://h").registry = "x"; rescue => e; p e.class, e.message; end
begin; URI("http://h").__send__(:set_registry, "x"); rescue => e; p e.class, e.message; end
p URI("http://h/p").__send__(:component_ary)
%w[file ftp generic http https ldap ldaps mailto rfc2396_parser rfc3986_parser version ws wss common].each { |name| p [name, (require "uri/#{name}")].first }
