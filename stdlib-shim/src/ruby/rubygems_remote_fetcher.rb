# Reads files of gem servers.
require "rubygems/exceptions"
require "net/http"
require "uri"
require "fileutils"

module Gem
  class RemoteFetcher
    class FetchError < Exception
      attr_accessor :uri, :original_uri, :code

      def initialize(message, uri)
        shown = Uri.new(uri)
        super(shown.redact_credentials_from(message))
        @original_uri = uri.dup
        @uri = shown.redacted.to_s
      end
      def to_s = "#{super} (#{uri})"
    end
    class UnknownHostError < FetchError; end

    LIMIT = 10
    private_constant :LIMIT
    attr_accessor :headers

    def self.fetcher = @fetcher ||= new

    def initialize(proxy = nil, _dns = nil, headers = {})
      @proxy = proxy
      @headers = headers
    end

    # The content of an address: unpacked if its name ends with .gz; nil if it has not changed since `mtime`.
    def fetch_path(uri, mtime = nil, head = false)
      content = fetch_bytes(uri, mtime, head)
      content.nil? || head || !uri.to_s.end_with?(".gz") ? content : Util.gunzip(content)
    end
    # The same as it was sent.
    def fetch_bytes(uri, mtime = nil, head = false)
      uri = uri.is_a?(URI::Generic) ? uri : URI.parse(uri.to_s)
      uri.scheme.nil? || uri.scheme == "file" ? fetch_file(uri) : fetch_http(uri, mtime, head)
    rescue FetchError
      raise
    rescue Timeout::Error, IOError, SocketError, SystemCallError, OpenSSL::SSL::SSLError => error
      raise FetchError.new("#{error.class}: #{error.message}", uri)
    end

    def fetch_file(uri, *) = File.binread(uri.path)

    def fetch_http(uri, last_modified = nil, head = false, depth = 0)
      response = request(uri, head ? Net::HTTP::Head : Net::HTTP::Get, last_modified)
      case response
      when Net::HTTPOK, Net::HTTPNotModified
        head ? response : response.body
      when Net::HTTPMovedPermanently, Net::HTTPFound, Net::HTTPSeeOther, Net::HTTPTemporaryRedirect
        raise FetchError.new("too many redirects", uri) if depth > LIMIT
        place = response["Location"] or raise FetchError.new("redirecting but no redirect location was given", uri)
        fetch_http(uri.merge(place), last_modified, head, depth + 1)
      else raise FetchError.new("bad response #{response.message} #{response.code}", uri).tap { |error| error.code = response.code }
      end
    end
    alias fetch_https fetch_http

    def https?(uri) = uri.scheme.to_s.casecmp?("https")

    # The content of an address, which a file keeps as well.
    def cache_update_path(uri, path = nil, update = true)
      content = fetch_path(uri, (File.stat(path).mtime if path && File.exist?(path)))
      return content ? content : File.binread(path) unless update && path && content
      FileUtils.mkdir_p(File.dirname(path))
      File.binwrite(path, content)
      content
    end

    # Takes the file of a gem to the cache of gems; gives where it lies.
    def download(spec, source_uri, install_dir = Gem.dir)
      # the name is what a server says: it must not lead out of the cache
      name = File.basename(spec.file_name)
      path = File.join(install_dir, "cache", name)
      return path if File.exist?(path)
      FileUtils.mkdir_p(File.dirname(path))
      File.binwrite(path, fetch_path("#{source_uri.to_s.chomp("/")}/gems/#{name}"))
      path
    end

    def close_all = nil
  end

  # Small things of RubyGems' own.
  module Util
    require "zlib"
    require "stringio"

    class << self
      def gunzip(data) = Zlib::GzipReader.new(StringIO.new(data)).read.b
      def gzip(data)
        out = StringIO.new("".b)
        Zlib::GzipWriter.wrap(out) { |writer| writer.write(data) }
        out.string
      end
      def inflate(data) = Zlib::Inflate.inflate(data)
      def popen(*command) = IO.popen(command, &:read)
      def silent_system(*command) = system(*command, out: File::NULL, err: File::NULL)

      # A folder and all those that it lies in.
      def traverse_parents(directory, &block)
        return enum_for(:traverse_parents, directory) unless block
        here = File.expand_path(directory)
        loop do
          begin
            yield here
          rescue Errno::EACCES
            nil
          end
          above = File.dirname(here)
          break if above == here
          here = above
        end
      end

      def glob_files_in_dir(glob, base_path) = Dir.glob(glob, base: base_path).map { |name| File.expand_path(name, base_path) }
      def correct_for_windows_path(path) = path.match?(%r{\A/[a-z]:}i) ? path[1..] : path
    end
  end

  # Texts for a terminal.
  module Text
    def clean_text(text) = text.gsub(/[\000-\b\v-\f\016-\037\177]/, ".")
    def truncate_text(text, description, max_length = 100_000)
      raise ArgumentError, "max_length must be positive" unless max_length > 0
      return text if text.size <= max_length
      "Truncating #{description} to #{max_length.to_s.reverse.gsub(/...(?=.)/, '\&,').reverse} characters:\n#{text[0, max_length]}"
    end

    def format_text(text, wrap, indent = 0)
      lines = []
      rest = clean_text(text)
      while rest.length > wrap
        if (match = rest.match(/\A(.{0,#{wrap}})[ \n]/))
          lines << match[1]
          rest = match.post_match
        else
          lines << rest.slice!(0, wrap)
        end
      end
      lines << rest unless rest.empty?
      lines.join("\n").gsub(/^/, " " * indent)
    end

    def min3(first, second, third) = [first, second, third].min
    def levenshtein_distance(first, second)
      require "did_you_mean"
      DidYouMean::Levenshtein.distance(first, second)
    end
  end
end

# `UserInteraction` needs `Text` of above.
require "rubygems/user_interaction"

# Requests with a body, and through the proxy that the configuration names.
module Gem
  class RemoteFetcher
    include UserInteraction

    USER_AGENT = "RubyGems/#{VERSION} #{RUBY_PLATFORM} Ruby/#{RUBY_VERSION}".freeze
    private_constant :USER_AGENT

    # The block gets the request before it is sent.
    def request(uri, request_class, last_modified = nil)
      request = request_class.new(uri.request_uri)
      request.basic_auth(URI.decode_www_form_component(uri.user), URI.decode_www_form_component(uri.password.to_s)) if uri.user
      request["User-Agent"] = USER_AGENT
      request["If-Modified-Since"] = last_modified.httpdate if last_modified
      @headers.each { |name, value| request[name] = value }
      yield request if block_given?
      verbose("#{request.method} #{Uri.new(uri).redacted}")
      response = Net::HTTP.start(uri.hostname, uri.port, *proxy_arguments, use_ssl: https?(uri)) { |http| http.request(request) }
      verbose("#{response.code} #{response.message}")
      response
    end

    private

    # The environment's proxy if none is named.
    def proxy_arguments
      case (proxy = @proxy || Gem.configuration[:http_proxy])
      when nil, true then []
      when :no_proxy, "no_proxy" then [nil]
      else URI.parse(proxy.to_s).then { |uri| [uri.hostname, uri.port, uri.user, uri.password] }
      end
    end
  end
end
