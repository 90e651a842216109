# A scheme of one's own: the checks and setters of an address are methods that a class may have its own of.
require "uri"
class Tagged < URI::Generic
  attr_reader :name, :number

  def self.parse(text) = new(*URI.split(text), nil, true)

  protected

  def set_path(path)
    _, @name, @number = path.split("/", 3)
    super
  end

  private

  def check_host(host)
    raise URI::InvalidComponentError, "no host" if host.to_s.empty?
    super
  end

  def check_path(path)
    raise URI::InvalidComponentError, "no path" if path.to_s.empty?
  end

  def check_scheme(scheme)
    raise URI::BadURIError, "not tagged" unless scheme == "tagged"
  end
end

tagged = Tagged.parse("tagged://host/name/12")
p tagged.name, tagged.number, tagged.host
["http://a/b/1", "tagged:///b/1", "tagged://a"].each do |text|
  Tagged.parse(text)
rescue URI::Error => error
  p error
end

address = URI("http://a/b")
[-> { address.port = "x" }, -> { address.path = "x" }, -> { address.scheme = "1" }, -> { address.host = "a b" }, -> { address.opaque = "a" }].each do |set|
  set.call
rescue URI::Error => error
  p error
end
