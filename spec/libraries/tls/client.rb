# client.rb PORT OTHER EXPIRED ASKING: what a client says of four servers: with the authority's certificate, with one that it made itself, with an expired
# one, and of one that asks for a certificate.
require "net/http"
require "openssl"
require "open-uri"
PORT, OTHER, EXPIRED, ASKING = ARGV.map(&:to_i)

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
Dir.mkdir("authorities")
File.write("authorities/one.pem", File.read("ca.pem"))
try { get("localhost", ca_path: "authorities") }
try { URI.open("https://localhost:#{PORT}/", ssl_ca_cert: "ca.pem", &:read) }
try { URI.open("https://localhost:#{PORT}/", &:read) }
try { URI.open("https://localhost:#{PORT}/", ssl_verify_mode: OpenSSL::SSL::VERIFY_NONE, &:read) }
try { get("localhost", EXPIRED, ca_file: "ca.pem") }
try { get("localhost", EXPIRED, verify_mode: OpenSSL::SSL::VERIFY_NONE) }
try { get("127.0.0.1", verify_mode: OpenSSL::SSL::VERIFY_NONE) }
try { URI.open("https://127.0.0.1:#{PORT}/", ssl_ca_cert: "ca.pem", &:read) }
# what a session tells
try do
  http = Net::HTTP.new("localhost", PORT)
  http.use_ssl = true
  http.ca_file = "ca.pem"
  http.set_debug_output(log = +"")
  http.start { |started| puts started.peer_cert.subject, started.peer_cert.issuer, started.get("/").body }
  log.lines.grep(/SSL|opened/).map { |line| line.sub(/:\d{4,5}/, ":PORT") }
end
# a server that asks who the client is
key = OpenSSL::PKey.read(File.read("key.pem"))
client = OpenSSL::X509::Certificate.new(File.read("client.pem"))
try { get("localhost", ASKING, ca_file: "ca.pem", cert: client, key: key) }
begin
  get("localhost", ASKING, ca_file: "ca.pem")
rescue OpenSSL::SSL::SSLError, SystemCallError, EOFError => error
  puts "refused: #{error.is_a?(StandardError)}"
end
# what a program decides itself
def raw(host = "localhost", port = PORT, check: host)
  context = OpenSSL::SSL::SSLContext.new
  context.verify_mode = OpenSSL::SSL::VERIFY_PEER
  yield context
  socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new(host, port), context)
  socket.hostname = host
  socket.connect
  socket.post_connection_check(check)
  [socket.ssl_version, socket.peer_cert_chain.size, socket.verify_result].inspect
ensure
  socket&.close
end
trusted = OpenSSL::X509::Store.new.add_file("ca.pem")
Dir.mkdir("none")
try { raw { |context| context.cert_store = trusted } }
try { raw { nil } }
try { raw { |context| context.cert_store = OpenSSL::X509::Store.new } }
try { raw { |context| context.ca_path = "none" } }
try { raw(check: "other.example") { |context| context.cert_store = trusted } }
try { raw { |context| context.cert_store, context.verify_callback = trusted, proc { false } } }
try { raw { |context| context.cert_store, context.verify_callback = trusted, proc { |passed, _| passed } } }
seen = []
try { raw { |context| context.verify_callback = proc { |passed, step| seen << [passed, step.error, step.error_depth]; true } } }
puts seen.inspect
try { raw("localhost", OTHER) { |context| context.verify_callback = proc { |_, step| step.error == 0 } } }
try { raw { |context| context.cert_store, context.max_version = trusted, :TLS1_2 } }
try { raw { |context| context.cert_store, context.ciphers, context.max_version = trusted, "ECDHE-ECDSA-AES256-GCM-SHA384", :TLS1_2 } }
try { raw { |context| context.ciphers = "none" } }
list = OpenSSL::X509::CRL.new
authority = OpenSSL::X509::Certificate.new(File.read("ca.pem"))
list.version, list.issuer, list.last_update, list.next_update = 1, authority.subject, Time.now - 10, Time.now + 100
revoked = OpenSSL::X509::Revoked.new
revoked.serial, revoked.time = OpenSSL::X509::Certificate.new(File.read("server.pem")).serial, Time.now - 5
list.add_revoked(revoked)
list.sign(OpenSSL::PKey.read(File.read("ca_key.pem")), "SHA256")
revoking = OpenSSL::X509::Store.new.add_file("ca.pem").add_crl(list)
revoking.flags = OpenSSL::X509::V_FLAG_CRL_CHECK
try { raw { |context| context.cert_store = revoking } }
