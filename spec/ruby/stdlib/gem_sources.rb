require "uri"
require "rubygems/source"
require "rubygems/uri_formatter"
require "rubygems/request"
s = Gem::Specification.new("a", "1").source
p s.class, s <=> Gem::Source::Installed.new, s <=> Gem::Source.new("http://a.example"), s.uri
require "pp"
pp s
p Gem.marshal_version, Gem::Specification.new("a", "1").missing_extensions?
p Gem.load_plugins.class, Gem.load_plugin_files([])
require "rubygems/ext"
p Gem::Ext::Builder.constants, Gem::Ext::BuildError.superclass
def t(scheme, env)
  ENV.update(env)
  p Gem::Request.get_proxy_from_env(scheme)
ensure
  env.each_key { |name| ENV.delete(name) }
end
t("http", {})
t("http", { "http_proxy" => "http://p:8" })
t("http", { "HTTP_PROXY" => "http://p:8", "http_proxy_user" => "a b", "http_proxy_pass" => "c" })
t("https", { "http_proxy" => "http://p:8" })
t("https", { "https_proxy" => "http://q:8" })
t("http", { "http_proxy" => "" })
t("http", { "http_proxy" => "p:9" })
p Gem::UriFormatter.new("a b").escape, Gem::UriFormatter.new("a+b").unescape, Gem::UriFormatter.new("FTP://x").normalize
p Gem::Request.proxy_uri(:no_proxy), Gem::Request.proxy_uri("http://x")
