class Chef
  # The chef-repo as a server: documents by the paths that a Chef server has. Reading is native.
  class LocalData
    class << self
      def put(path, object)
        get(path)
        write(path, object)
      end

      def post(path, object)
        id = identifier(path, object)
        refuse("409", "Conflict") if id && known?("#{path}/#{id}")
        return FileUtils.mkdir_p(file("#{path}/#{id}").delete_suffix(".json")) && { "uri" => id } if path == "data"

        write("#{path}/#{id}", object)
      end

      def delete(path)
        found = get(path)
        target = file(path)
        File.directory?(target) ? FileUtils.rm_rf(target) : FileUtils.rm_f(target)
        found
      end

      private

      def known?(path)
        get(path)
        true
      rescue Net::HTTPClientException
        false
      end

      def identifier(path, object)
        hash = object.respond_to?(:to_h) ? object.to_h : {}
        return hash["id"] || hash.dig("raw_data", "id") if path.start_with?("data/")

        hash["name"]
      end

      def refuse(code, text)
        raise Net::HTTPClientException.new("#{code} \"#{text}\"", Net::HTTPResponse.send(:response_class, code).new("1.1", code, text))
      end

      # Where a document is kept.
      def file(path)
        kind, *names = path.split("/").reject(&:empty?)
        refuse("404", "Not Found") if names.empty? || names.any? { |name| name.start_with?(".") }
        folder = { "data" => "data_bags", "nodes" => "nodes", "roles" => "roles", "environments" => "environments", "clients" => "clients" }[kind]
        refuse("404", "Not Found") unless folder
        target = File.join(repository, folder, *names)
        kind == "data" && names.size == 1 ? target : "#{target}.json"
      end

      def write(path, object)
        target = file(path)
        FileUtils.mkdir_p(File.dirname(target))
        plain = object.respond_to?(:raw_data) ? object.raw_data : object
        File.write(target, "#{Chef::JSONCompat.to_json_pretty(plain)}\n")
        object
      end
    end
  end

  # An HTTP client. A Chef server's documents come from the chef-repo; other addresses are asked over the network.
  class HTTP
    attr_reader :url, :options, :last_response
    attr_accessor :redirect_limit

    def initialize(url, options = {})
      @url = url
      @options = options
      @default_headers = options[:headers] || {}
      @redirect_limit = 10
    end

    def head(path, headers = {}) = request(:HEAD, path, headers)
    def get(path, headers = {}) = request(:GET, path, headers)
    def put(path, json, headers = {}) = request(:PUT, path, headers, json)
    def post(path, json, headers = {}) = request(:POST, path, headers, json)
    def delete(path, headers = {}) = request(:DELETE, path, headers)

    def request(method, path, headers = {}, data = nil)
      return local(method, path, data) if local?(path)

      response = fetch(method, create_url(path), headers, data)
      response.error! unless response.is_a?(Net::HTTPSuccess) || response.is_a?(Net::HTTPNotModified)
      answer(method, response)
    rescue Net::HTTPExceptions, SystemCallError, SocketError => e
      e.extend(Chef::HTTP::FailedRequest) unless e.frozen?
      e.chef_rest_request = "#{method} #{path}" unless e.frozen?
      raise
    end

    # Marks an error with the request that failed.
    module FailedRequest
      attr_accessor :chef_rest_request
    end

    def streaming_request(path, headers = {}, tempfile = nil)
      body = request(:GET, path, headers)
      tempfile ||= Tempfile.open("chef-rest")
      tempfile.binmode
      tempfile.write(body)
      tempfile.flush
      return tempfile unless block_given?

      begin
        yield tempfile
      ensure
        tempfile.close!
      end
    end

    def streaming_request_with_progress(path, headers = {}, tempfile = nil)
      tempfile = streaming_request(path, headers, tempfile)
      yield tempfile.size, tempfile.size if block_given?
      tempfile
    end

    private

    def local?(path) = !path.to_s.match?(%r{\Ahttps?://}) && !url.to_s.match?(%r{\Ahttps?://})

    def local(method, path, data)
      path = path.to_s
      case method
      when :GET then LocalData.get(path)
      when :HEAD then LocalData.get(path) && true
      when :PUT then LocalData.put(path, data)
      when :POST then LocalData.post(path, data)
      when :DELETE then LocalData.delete(path)
      end
    end

    def create_url(path)
      return path if path.is_a?(URI)
      return URI.parse(path) if path.match?(%r{\Ahttps?://})
      return URI.parse(@url.to_s) if path.nil? || path.empty?

      URI.parse("#{@url.to_s.chomp("/")}/#{path.delete_prefix("/")}")
    end

    def fetch(method, uri, headers, data, redirects = redirect_limit)
      request = Net::HTTP.const_get(method.to_s.capitalize).new(uri, @default_headers.merge(headers).to_h { |key, value| [key.to_s, value.to_s] })
      unless data.nil?
        request.body = encode(request, data)
      end
      response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: Chef::Config[:rest_timeout],
                                                     verify_mode: Chef::Config[:ssl_verify_mode] == :verify_none ? OpenSSL::SSL::VERIFY_NONE : OpenSSL::SSL::VERIFY_PEER) { |http| http.request(request) }
      @last_response = response
      return response unless response.is_a?(Net::HTTPRedirection) && response["location"]
      raise Chef::Exceptions::RedirectLimitExceeded if redirects <= 0

      fetch(method, URI.join(uri, response["location"]), headers, data, redirects - 1)
    end

    def encode(_request, data) = data.to_s
    def answer(method, response) = method == :HEAD ? true : response.body

    class Simple < HTTP
    end

    # JSON both ways.
    class SimpleJSON < HTTP
      private

      def encode(request, data)
        request["Content-Type"] ||= "application/json"
        data.is_a?(String) ? data : Chef::JSONCompat.to_json(data)
      end

      def answer(method, response)
        return true if method == :HEAD

        response["content-type"].to_s.include?("json") ? Chef::JSONCompat.from_json(response.body) : response.body
      end
    end
  end

  class ServerAPI < HTTP::SimpleJSON
    # Puts a document of a list; one that is not there yet is posted. `rest` is the client that is asked.
    def self.write(rest, list, name, document)
      rest.put("#{list}/#{name}", document)
    rescue Net::HTTPClientException => e
      raise unless e.response.code == "404"

      rest.post(list, document)
    end

    def initialize(url = Chef::Config[:chef_server_url], options = {}) = super

    %w{get put post delete}.each { |name| alias_method :"#{name}_rest", name }
    alias raw_request request
  end
end
