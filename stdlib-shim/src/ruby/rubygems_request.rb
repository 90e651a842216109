# Requests to gem servers: what is known of proxies and certificates; `Gem::RemoteFetcher` makes them.
require "rubygems/remote_fetcher"
require "cgi/util"

module Gem
  # What a user wrote for an address.
  class UriFormatter
    attr_reader :uri

    def initialize(uri)
      @uri = uri
    end

    def escape = @uri && CGI.escape(@uri)
    def unescape = @uri && CGI.unescape(@uri)
    def normalize = @uri.match?(/\A(?:https?|ftp|file):/i) ? @uri : "http://#{@uri}"
  end

  class Request
    class << self
      # The system's certificates are used; there are none beside them.
      def get_cert_files = []

      def proxy_uri(proxy)
        case proxy
        when :no_proxy then nil
        when URI::HTTP then proxy
        else URI.parse(proxy)
        end
      end

      # The proxy that the environment names for a scheme: an address, or `:no_proxy`.
      def get_proxy_from_env(scheme = "http")
        value = lambda { |name| (ENV[name] || ENV[name.upcase]).then { |text| text unless text.to_s.empty? } }
        name = "#{scheme.downcase}_proxy"
        address = value[name]
        return :no_proxy unless address
        uri = URI.parse(UriFormatter.new(address).normalize)
        if uri.user.nil? && uri.password.nil?
          user, password = UriFormatter.new(value["#{name}_user"]).escape, UriFormatter.new(value["#{name}_pass"]).escape
          uri.user = user if user
          uri.password = password if password
        end
        uri
      end
    end
  end
end
