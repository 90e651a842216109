# client.rb PORT OTHER EXPIRED: what a client says of three servers: with the authority's certificate, with one that it made itself, with an expired one.
require "net/http"
require "openssl"
require "open-uri"
PORT, OTHER, EXPIRED = ARGV.map(&:to_i)

def try
  puts yield
rescue StandardError => error
  puts "#{error.class}: #{error.message.gsub(/:\d{4,5}\b/, ":PORT").gsub(/port \d+/, "port PORT")}"
end
def get(host, port = PORT, **settings)
  http = Net::HTTP.new(host, port)
  http.use_ssl = true
  settings.each { |name, value| http.public_send("#{name}=", value) }
  http.get("/").body
end

try { get("localhost") }
try { get("localhost", ca_file: "ca.pem") }
try { get("127.0.0.1", ca_file: "ca.pem") }
try { get("localhost", verify_mode: OpenSSL::SSL::VERIFY_NONE) }
try { get("localhost", OTHER) }
try { get("localhost", OTHER, ca_file: "ca.pem") }
try { get("localhost", OTHER, verify_mode: OpenSSL::SSL::VERIFY_NONE) }
try { get("localhost", cert_store: OpenSSL::X509::Store.new.tap { |store| store.add_file("ca.pem") }) }
try { URI.open("https://localhost:#{PORT}/", ssl_ca_cert: "ca.pem", &:read) }
try { URI.open("https://localhost:#{PORT}/", &:read) }
try { URI.open("https://localhost:#{PORT}/", ssl_verify_mode: OpenSSL::SSL::VERIFY_NONE, &:read) }
try { get("localhost", EXPIRED, ca_file: "ca.pem") }
try { get("localhost", EXPIRED, verify_mode: OpenSSL::SSL::VERIFY_NONE) }
try { get("127.0.0.1", verify_mode: OpenSSL::SSL::VERIFY_NONE) }
try { URI.open("https://127.0.0.1:#{PORT}/", ssl_ca_cert: "ca.pem", &:read) }
