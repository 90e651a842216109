# Parts of Net's clients by themselves: names of codes, packed bodies, messages of lines, requests in pieces.
require "net/http"
require "net/http/status"
require "stringio"
require "zlib"
$VERBOSE = nil
p Net::HTTP::STATUS_CODES.size, Net::HTTP::STATUS_CODES[404], Net::HTTP::STATUS_CODES[511]
p Net::HTTP::IDEMPOTENT_METHODS_, Net::HTTP::SSL_ATTRIBUTES, Net::HTTP::SSL_IVNAMES.size, Net::HTTP::HAVE_ZLIB, Net::HTTP::Revision, Net::HTTP::ENVIRONMENT_VARIABLE_IS_MULTIUSER_SAFE
p Net::HTTP::ProxyMod, Net::HTTPResponseReceiver, Net::HTTPResponceReceiver, Net::HTTPRetriableCode, Net::NetPrivate::HTTPRequest, Net::NetPrivate::Socket, Net::BufferedIO::BUFSIZE, Net::Protocol::VERSION

class Stream
  attr_reader :written
  def initialize(text = "") = (@input = StringIO.new(text); @written = +"")
  def write(*parts) = parts.sum { |part| @written << part; part.bytesize }
  def readpartial(size) = @input.readpartial(size)
  def read_nonblock(size, buffer = nil, exception: true) = @input.read(size).then { |part| part && buffer ? buffer.replace(part) : part }
  def wait_readable(*) = self
  def to_io = self
  def closed? = false
  def write_nonblock(text, **) = write(text)
end

def message(text = "")
  stream = Stream.new(text)
  [Net::InternetMessageIO.new(stream), stream]
end
io, stream = message
p io.write_message("one\n.two\r\nthree\rfour"), stream.written
io, stream = message
p io.write_message(%W[a\n b c\n]), stream.written
io, stream = message
p io.write_message_by_block { |to| to << "x\n" << ".y"; to.puts "z"; to.printf("%d\n", 3); to.print "q"; p to.inspect[/\A#<Net::WriteAdapter writer=/] }, stream.written
io, = message("a\r\n..b\r\n\r\n.\r\nrest")
lines = []
io.each_message_chunk { |line| lines << line }
p lines
io, = message("a b\r\nc\r\n.\r\n")
items = []
io.each_list_item { |item| items << item }
p items
seen = +""
reader = Net::ReadAdapter.new(->(part) { seen << part })
reader << "a"
reader << "b"
p seen, reader.inspect

chunker = Net::HTTPGenericRequest::Chunker.new(stream = Stream.new)
p chunker.write("abc"), chunker.write("d" * 20), chunker.finish && stream.written
def response(text)
  io = Net::BufferedIO.new(Stream.new(text))
  made = Net::HTTPResponse.read_new(io)
  made.decode_content = true
  made.reading_body(io, true) { made.body }
  made
end
packed = Zlib::Deflate.deflate("hello " * 10)
p response("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: #{packed.bytesize}\r\n\r\n#{packed}").body
io = StringIO.new
Zlib::GzipWriter.wrap(io) { |writer| writer.write("gzipped") }
p response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n#{io.string.bytesize.to_s(16)}\r\n#{io.string}\r\n0\r\n\r\n").body
inflater = Net::HTTPResponse::Inflater.new(Net::BufferedIO.new(Stream.new(packed)))
p inflater.read_all(+""), inflater.finish
request = Net::HTTP::Post.new("/")
request.body_stream = StringIO.new("streamed " * 3)
request["Transfer-Encoding"] = "chunked"
request.exec(Net::BufferedIO.new(stream = Stream.new), "1.1", "/")
p stream.written[/\r\n\r\n(.*)/m, 1]
class Counted < Net::HTTP
  def on_connect = @connected = true
  public :edit_path, :addr_port, :conn_address, :conn_port
end
http = Counted.new("example.com", 8080)
p http.edit_path("/x"), http.addr_port, http.conn_address, http.conn_port
