# Pathname asks FileTest, and the class methods of digests do not ask `new`: tests put others in their place.
require "pathname"
require "digest"
Digest::SHA256
def FileTest.exist?(path) = path.to_s == "/made-up"
def FileTest.file?(path) = path.to_s == "/made-up"
p Pathname.new("/made-up").exist?, Pathname.new("/made-up").file?
class Digest::SHA256
  def self.new = raise("new is not asked")
end
p Digest::SHA256.hexdigest("a"), Digest::SHA256.base64digest("a")
