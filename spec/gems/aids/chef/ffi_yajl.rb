# FFI_Yajl, which is an extension in C, on top of the standard library's JSON.
require "json"
module FFI_Yajl
  class ParseError < StandardError; end
  class EncodeError < StandardError; end
  class Parser
    def self.parse(text, **options) = new(**options).parse(text)
    def initialize(**options) = @options = options
    def parse(text)
      JSON.parse(text, symbolize_names: @options[:symbolize_keys] || @options[:symbolize_names] || false, quirks_mode: true)
    rescue JSON::ParserError => error
      raise ParseError, error.message
    end
  end
  class Encoder
    def self.encode(object, pretty: false, html_safe: false) = pretty ? JSON.pretty_generate(object) : JSON.generate(object)
    def initialize(**options) = @options = options
    def encode(object) = self.class.encode(object, **@options.slice(:pretty))
  end
end
