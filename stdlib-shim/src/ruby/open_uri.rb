require "uri"
require "net/http"

module OpenURI
  class HTTPError < StandardError
    attr_reader :io
    def initialize(message, io)
      super(message)
      @io = io
    end
  end

  def self.open_uri(uri, *) = Net::HTTP.start(URI(uri.to_s).host)
end

class URI::Generic
  def open(*args) = OpenURI.open_uri(self, *args)
  def read(*args) = open(*args).read
end
