# Where an answer may lead, and libraries that ask for more.
require "open-uri"
require "socket"

%w(http https ftp HTTP file).repeated_permutation(2) { |from, to| puts "#{from} #{to} #{OpenURI.redirectable?(URI("#{from}://a/"), URI("#{to}://a/")).inspect}" }

server = TCPServer.new("127.0.0.1", 0)
ADDRESS = "http://127.0.0.1:#{server.addr[1]}"
Thread.new do
  loop do
    client = server.accept
    line = client.gets
    nil until client.gets.chomp.empty?
    status = { "/away" => "302 Found\r\nLocation: other://h/", "/near" => "301 Moved\r\nLocation: /here" }.fetch(line.split[1], "200 OK")
    client.write("HTTP/1.1 #{status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
    client.close
  end
end

def read(path)
  puts URI.open(ADDRESS + path).read
rescue StandardError => error
  puts "#{error.class}: #{error.message.gsub(ADDRESS, "ADDRESS")}"
end

read("/away")
read("/near")
class << OpenURI
  alias_method :redirectable_before?, :redirectable?
  def redirectable?(from, to)
    puts "asked for #{to.path}"
    redirectable_before?(from, to)
  end
end
read("/away")
read("/near")
