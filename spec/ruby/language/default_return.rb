# `return` in the default of a parameter ends the method or lambda with that value.
def optional(value = nil || (return 5)) = [value]
def keyword(first, other: nil || (return 7)) = [first, other]
p optional, optional(1), keyword(1), keyword(1, other: 2)

class Response
  def initialize = @status = 200
  def status(value = nil || (return @status)) = @status = value
end
response = Response.new
p response.status, response.status(404), response.status

short = ->(value = nil || (return 8)) { [value] }
p short.call, short.(2)
define_singleton_method(:defined) { |value = (nil or return 9)| [value] }
p defined, defined(1)

# A return of the method around the block goes there.
def around
  [1].each { |first, second = (nil or return :around)| p [first, second] }
  :after
end
p around

# `ensure` of the caller runs.
def guarded
  yield
ensure
  p :ensured
end
def through = guarded { |value = (nil or return 3)| value }
p through
