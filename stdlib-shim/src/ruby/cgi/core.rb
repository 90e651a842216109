# A program that a web server runs for a request: what it was asked, and how it answers.
require "cgi/util"

class CGI
  CR = "\r"
  LF = "\n"
  EOL = CR + LF
  VERSION = "0.3.5"
  REVISION = "$Id$"
  NEEDS_BINMODE = false
  PATH_SEPARATOR = { "UNIX" => "/", "WINDOWS" => "\\", "MACINTOSH" => ":" }.freeze
  MAX_MULTIPART_COUNT = 128
  HTTP_STATUS = {
    "OK" => "200 OK", "PARTIAL_CONTENT" => "206 Partial Content", "MULTIPLE_CHOICES" => "300 Multiple Choices", "MOVED" => "301 Moved Permanently",
    "REDIRECT" => "302 Found", "NOT_MODIFIED" => "304 Not Modified", "BAD_REQUEST" => "400 Bad Request", "AUTH_REQUIRED" => "401 Authorization Required",
    "FORBIDDEN" => "403 Forbidden", "NOT_FOUND" => "404 Not Found", "METHOD_NOT_ALLOWED" => "405 Method Not Allowed",
    "NOT_ACCEPTABLE" => "406 Not Acceptable", "LENGTH_REQUIRED" => "411 Length Required", "PRECONDITION_FAILED" => "412 Precondition Failed",
    "SERVER_ERROR" => "500 Internal Server Error", "NOT_IMPLEMENTED" => "501 Method Not Implemented", "BAD_GATEWAY" => "502 Bad Gateway",
    "VARIANT_ALSO_VARIES" => "506 Variant Also Negotiates"
  }.freeze
  # What is read at a time; bodies of larger requests are kept in files.
  LARGE = 10 * 1024
  private_constant :LARGE

  class InvalidEncoding < Exception; end # rubocop:disable Lint/InheritException

  def self.accept_charset = @@accept_charset
  def self.accept_charset=(charset)
    @@accept_charset = charset
  end

  attr_reader :accept_charset

  # `tag_maker` chooses methods for HTML of a version; a block is told of parameters that are no valid text.
  def initialize(options = {}, &block)
    options = { tag_maker: options } unless options.is_a?(Hash)
    @accept_charset = options.fetch(:accept_charset, @@accept_charset).dup
    @accept_charset_error_block = block
    @max_multipart_length = options.fetch(:max_multipart_length, 128 * 1024 * 1024)
    @multipart = false
    @options = options
    extend(QueryExtension)
    initialize_query
    @output_cookies = nil
    @output_hidden = nil
    maker = options[:tag_maker] or return
    require "cgi/html"
    kind = { "html3" => :HTML3, "html4" => :HTML4, "html4Tr" => :HTML4Tr, "html4Fr" => :HTML4Fr, "html5" => :HTML5 }[maker] or return
    extend(CGI.const_get(kind))
    element_init if respond_to?(:element_init, true)
  end

  # The head of an answer: of a type, or with the fields of a Hash.
  def http_header(options = "text/html")
    options = { "type" => _no_crlf_check(options) } if options.is_a?(String) && nph?
    case options
    when String
      text = with_cookies("Content-Type: #{_no_crlf_check(options)}#{EOL}", @output_cookies)
    when Hash
      text = options.empty? ? "Content-Type: text/html#{EOL}" : _header_for_hash(options.dup)
    else
      raise ArgumentError, "expected String or Hash"
    end
    text + EOL
  end
  alias header http_header

  # Whether the server, which is an old one of Microsoft's, wants the whole answer.
  def nph?
    version = env_table["SERVER_SOFTWARE"].to_s[%r{IIS/(\d+)}, 1]
    !version.nil? && version.to_i < 5
  end

  # Prints the head, and what the block gives.
  def out(options = "text/html")
    options = { "type" => options } if options.is_a?(String)
    content = yield
    options["length"] = content.bytesize.to_s
    stdoutput.binmode if stdoutput.respond_to?(:binmode)
    stdoutput.print(http_header(options))
    stdoutput.print(content) unless env_table["REQUEST_METHOD"] == "HEAD"
  end

  def print(*arguments) = stdoutput.print(*arguments)

  private

  def env_table = ENV
  def stdinput = $stdin
  def stdoutput = $stdout

  def _no_crlf_check(text)
    return nil unless text
    text = text.to_s
    raise "A HTTP status or header field must not include CR and LF" if text.match?(/[\r\n]/)
    text
  end

  def _header_for_hash(options)
    options["type"] ||= "text/html"
    charset = options.delete("charset")
    options["type"] += "; charset=#{charset}" if charset
    text = +""
    if options.delete("nph") || nph?
      text << "#{_no_crlf_check(env_table["SERVER_PROTOCOL"] || "HTTP/1.0")} #{status_of(options.delete("status")) || "200 OK"}#{EOL}"
      text << "Date: #{CGI.rfc1123_date(Time.now)}#{EOL}"
      options["server"] ||= env_table["SERVER_SOFTWARE"] || ""
      options["connection"] ||= "close"
    end
    field = ->(name, value) { text << "#{name}: #{_no_crlf_check(value)}#{EOL}" if value }
    field["Status", status_of(options.delete("status"))]
    field["Server", options.delete("server")]
    field["Connection", options.delete("connection")]
    field["Content-Type", options.delete("type")]
    field["Content-Length", options.delete("length")]
    field["Content-Language", options.delete("language")]
    expires = options.delete("expires")
    field["Expires", expires && CGI.rfc1123_date(expires)]
    text = with_cookies(text, options.delete("cookie"))
    text = with_cookies(text, @output_cookies)
    options.each { |name, value| text << "#{_no_crlf_check(name)}: #{_no_crlf_check(value)}#{EOL}" }
    text
  end

  def status_of(status) = status && (HTTP_STATUS[status] || status)

  def with_cookies(text, cookies)
    list =
      case cookies
      when nil then []
      when Hash then cookies.values
      when Array then cookies.is_a?(Cookie) ? [cookies] : cookies
      else [cookies]
      end
    list.inject(text) { |made, cookie| made + "Set-Cookie: #{_no_crlf_check(cookie)}#{EOL}" }
  end

  # What the server tells of the request.
  module QueryExtension
    { CONTENT_LENGTH: :content_length, SERVER_PORT: :server_port }.each do |name, method|
      define_method(method) { env_table[name.name]&.to_i }
    end
    %w[AUTH_TYPE CONTENT_TYPE GATEWAY_INTERFACE PATH_INFO PATH_TRANSLATED QUERY_STRING REMOTE_ADDR REMOTE_HOST REMOTE_IDENT REMOTE_USER
       REQUEST_METHOD SCRIPT_NAME SERVER_NAME SERVER_PROTOCOL SERVER_SOFTWARE
       HTTP_ACCEPT HTTP_ACCEPT_CHARSET HTTP_ACCEPT_ENCODING HTTP_ACCEPT_LANGUAGE HTTP_CACHE_CONTROL HTTP_FROM HTTP_HOST HTTP_NEGOTIATE HTTP_PRAGMA
       HTTP_REFERER HTTP_USER_AGENT].each do |name|
      define_method(name.delete_prefix("HTTP_").downcase) { env_table[name] }
    end

    def raw_cookie = env_table["HTTP_COOKIE"]
    def raw_cookie2 = env_table["HTTP_COOKIE2"]

    attr_accessor :cookies
    attr_reader :params, :files

    def params=(params)
      @params.clear
      @params.update(params)
    end

    def multipart? = @multipart
    def unescape_filename? = !!@unescape_filename

    # The first value of a parameter; nothing is a text, or something to read.
    def [](key)
      value = (@params[key] || [])[0]
      return value || StringIO.new("".b) if @multipart
      (value || "").dup
    end
    def keys(*arguments) = @params.keys(*arguments)
    def has_key?(*arguments) = @params.has_key?(*arguments)
    alias key? has_key?
    alias include? has_key?

    def create_body(is_large)
      return StringIO.new("".b) unless is_large
      require "tempfile"
      Tempfile.new("CGI", encoding: Encoding::ASCII_8BIT).tap(&:binmode)
    end

    private

    def initialize_query
      require "stringio"
      @files = {}
      type = env_table["CONTENT_TYPE"].to_s
      if env_table["REQUEST_METHOD"] == "POST" && (boundary = type[%r{\Amultipart/form-data.*boundary="?([^";,]+)"?}i, 1])
        check_length
        @multipart = true
        @params = read_multipart(boundary, env_table["CONTENT_LENGTH"].to_i)
      else
        @multipart = false
        @params = CGI.parse(query_text)
        check_encodings
      end
      @cookies = CGI::Cookie.parse(env_table["HTTP_COOKIE"] || env_table["COOKIE"])
    end

    def check_length
      limit = @max_multipart_length
      limit = limit.call if limit.respond_to?(:call)
      raise StandardError, "too large multipart data." if env_table["CONTENT_LENGTH"].to_i > limit
    end

    def query_text
      case env_table["REQUEST_METHOD"]
      when "GET", "HEAD" then (env_table["QUERY_STRING"] || "").dup
      when "POST"
        stdinput.binmode if stdinput.respond_to?(:binmode)
        stdinput.read(env_table["CONTENT_LENGTH"].to_i) || ""
      else read_from_cmdline
      end
    end

    def check_encodings
      return if @accept_charset == "ASCII-8BIT"
      encoding = Encoding.find(@accept_charset)
      @params.each do |name, values|
        values.each do |value|
          next if value.force_encoding(encoding).valid_encoding?
          raise InvalidEncoding, "Accept-Charset encoding error" unless @accept_charset_error_block
          @accept_charset_error_block.call(name, value)
        end
      end
    end

    # Without a server: pairs of the command line, or of the input.
    def read_from_cmdline
      require "shellwords"
      words =
        if ARGV.empty?
          $stderr.print("(offline mode: enter name=value pairs on standard input)\n") if $stdin.tty?
          Shellwords.shellwords($stdin.readlines.join(" ").delete("\n"))
        else
          ARGV.join(" ").then { |text| Shellwords.shellwords(text) }
        end
      words = words.map { |word| word.gsub("\\=", "%3D").gsub("\\&", "%26") }
      words.any? { |word| word.include?("=") } ? words.join("&") : words.join("+")
    end

    def read_multipart(boundary, content_length)
      text = content_length.positive? ? stdinput.read(content_length).to_s.b : "".b
      raise EOFError, "no content body" if text.empty?
      raise EOFError, "bad content body" unless text.start_with?("--#{boundary}#{EOL}")
      parts = "#{EOL}#{text}".split(/#{EOL}--#{Regexp.quote(boundary)}(?=#{EOL}|--)/n, -1).drop(1)
      raise EOFError, "bad content body" unless parts.last&.start_with?("--")
      raise StandardError, "too many parameters." if parts.size - 1 > MAX_MULTIPART_COUNT
      at = 0
      parts[0..-2].each_with_object({}) do |part, params|
        read_part(part, params, large?(text.bytesize, at))
        at += part.bytesize + boundary.bytesize + 4
      end
    end

    # Whether much is left to be read where a part begins: then it is kept in a file, large or not.
    def large?(size, at) = size - (at / LARGE.to_f).ceil * LARGE > LARGE

    def read_part(part, params, large)
      head, _, content = part.delete_prefix(EOL).partition(EOL + EOL)
      disposition = head[/^Content-Disposition:(.*?)(?=#{EOL}[^\s]|\z)/im, 1].to_s
      name = disposition[/\bname="(.*?)"/i, 1] || disposition[/\bname=([^\s;]+)/i, 1] || ""
      type = head[/^Content-Type:\s*(.*?)\s*$/i, 1]
      file = disposition[/\bfilename="(.*?)"/i, 1] || disposition[/\bfilename=([^\s;]+)/i, 1]
      name = name.force_encoding(Encoding.find(@accept_charset)) unless @accept_charset == "ASCII-8BIT"
      (params[name] ||= []) << (file ? file_of(name, content, file, type.to_s, large) : text_of(name, content))
    end

    def text_of(name, content)
      content = content.force_encoding(@accept_charset)
      unless content.valid_encoding?
        raise InvalidEncoding, "Accept-Charset encoding error" unless @accept_charset_error_block
        @accept_charset_error_block.call(name, content)
      end
      content.define_singleton_method(:read) { self }
      describe(content, nil, "", "")
    end

    def file_of(name, content, file, type, large)
      body = create_body(large)
      body.write(content)
      body.rewind
      file = CGI.unescape(file) if unescape_filename?
      local = body.is_a?(StringIO) ? nil : body.path
      @files[name] = describe(body, local, file.dup.force_encoding(Encoding::UTF_8), type.dup)
    end

    def describe(body, local, file, type)
      { local_path: local, original_filename: file, content_type: type }.each do |method, value|
        body.define_singleton_method(method) { value }
      end
      body
    end
  end
end
