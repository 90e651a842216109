# A logger that keeps nothing.
class NullLogger
  def self.instance = @instance ||= new
  %i[debug info warn error fatal].each { |n| define_method(n) { |*| nil } }
end
