# A small stand-in for strptime: times read and written by a format.
require "time"
class Strptime
  def initialize(format) = @format = format
  def exec(text) = Time.strptime(text, @format)
  def execi(text) = exec(text).to_i
end
class Strftime
  def initialize(format) = @format = format
  def exec(time) = time.strftime(@format)
end
