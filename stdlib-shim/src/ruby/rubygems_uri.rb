# An address whose credentials can be left out where it is shown.
require "uri"

module Gem
  class Uri
    def initialize(source_uri)
      @parsed_uri = source_uri.is_a?(String) ? parse(source_uri) : source_uri
    end

    # Without the password; a user alone, or one with the password of OAuth, is a token itself.
    def redacted
      return self if @parsed_uri.is_a?(String)
      field = user && [nil, "x-oauth-basic"].include?(password) ? :user= : (:password= if password)
      field ? clone.tap { |copy| copy.public_send(field, "REDACTED") } : self
    end
    def redact_credentials_from(text) = !@parsed_uri.is_a?(String) && password ? text.sub(password, "REDACTED") : text
    def to_s = @parsed_uri.to_s

    def method_missing(name, *args, &block) = @parsed_uri.respond_to?(name) ? @parsed_uri.public_send(name, *args, &block) : super
    def respond_to_missing?(name, include_private = false) = @parsed_uri.respond_to?(name, include_private) || super

    private

    def initialize_copy(_other)
      @parsed_uri = @parsed_uri.clone
    end

    # What is no address stays as it is.
    def parse(text)
      URI.parse(text)
    rescue URI::InvalidURIError
      begin
        URI.parse(URI::DEFAULT_PARSER.escape(text))
      rescue URI::InvalidURIError
        text
      end
    end
  end
end
