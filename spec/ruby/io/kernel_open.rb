# `open` opens a file without a call of `File.open`.
class << File
  def open(*) = raise("asked")
end
open(__FILE__) { |file| p file.class, file.gets }
file = open(__FILE__, "r:UTF-8")
p file.class, file.external_encoding
