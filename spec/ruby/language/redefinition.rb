# With $VERBOSE a method that is replaced is named, unless an alias keeps it.
$VERBOSE = true
$stderr = $stdout
def a; end
def b; end
alias a b
class K
  def x; end
  alias y x
  def x; end
  define_method(:z) { 1 }
  define_method(:z) { 1 }
  def y; end
  class << self
    def q; end
    def q; end
  end
  undef_method :z
  def z; end
  attr_accessor :z
  def z=(x); end
  def initialize; end
  def initialize; end
  private def x; end
end
object = Object.new
def object.x; end
def object.x; end
class String
  def squeeze = self
end
$VERBOSE = false
def a; end
