# Plain values where the libraries want others: results and errors.
require "pathname"
require "uri"
require "cgi"
require "date"
require "fileutils"
require "socket"
require "find"

def try
  value = yield
  puts value.inspect
rescue StandardError => e
  puts "#{e.class}: #{e.message.lines.first.chomp}"
end

ODD = [nil, 0, 1.5, :sym, true, [], ["a"], {}, { "a" => 1 }].freeze
ODD.each { |value| try { CGI.escape(value) } }
ODD.each { |value| try { Date.parse(value) } }
ODD.each { |value| try { DateTime.parse(value) } }
ODD.each { |value| try { Date.iso8601(value) } }
ODD.each { |value| try { FileUtils.mkdir_p(value, noop: true) } unless value.is_a?(Array) }
ODD.each { |value| try { URI.join("http://a/", value) } }
ODD.each { |value| try { Gem::Dependency.new(value) } }
ODD.each { |value| try { Gem::Specification.find_all_by_name(value) } }
[nil, :sym, true, [], {}, 1.5].each { |value| try { Socket.getservbyname(value) } }
[:sym, true, [], {}, "nosuchservice"].each { |value| try { TCPSocket.new("127.0.0.1", value) } }
[:sym, true, [], {}, 1.5].each { |value| try { TCPSocket.new(value, 80) } }
try { TCPSocket.new("localhost") }

puts URI.parse("abc/def").respond_to?(:request_uri), URI.parse("ftp://a/b").respond_to?(:request_uri)
puts URI.parse("http://a").request_uri.inspect, URI.parse("https://a/b?c#d").request_uri, URI.parse("ws://a/b?c").request_uri
puts URI::WS.ancestors.take(2).inspect, URI::VERSION

root = Pathname.new("/")
puts root.mountpoint?, Pathname.new("/nonexistent/x").mountpoint?
puts Pathname.new("/a/b").split.inspect, Pathname.new("/usr/../usr").realdirpath
puts root.blockdev?, root.chardev?, root.setuid?, root.setgid?, root.world_readable?.inspect, root.readable_real?
puts (Pathname.instance_methods(false) & %i(each_entry find lchmod lchown make_link opendir sticky? sysopen utime world_writable? writable_real? executable_real? grpowned?)).size
try { Pathname.new("/proc/self/fd/nonexistent").find.to_a.size }
