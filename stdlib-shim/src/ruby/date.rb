# What MRI's date.rb adds to Date; the rest is `date_core`.
require "date_core"

class Date
  VERSION = "3.2.2"

  def infinite? = false

  # A number beyond all others, with a sign; `d` is -1, 0 (not a number) or 1.
  class Infinity < Numeric
    def initialize(d = 1)
      @d = d <=> 0
    end
    attr_reader :d
    protected :d
    def zero? = false
    def finite? = false
    def infinite? = d.nonzero?
    def nan? = d.zero?
    def abs = self.class.new
    def -@ = self.class.new(-d)
    def +@ = self.class.new(+d)
    def <=>(other)
      case other
      when Infinity then d <=> other.d
      when Float then other.infinite? ? d <=> other.infinite? : d
      when Numeric then d
      else
        begin
          left, right = other.coerce(self)
          left <=> right
        rescue NoMethodError
          nil
        end
      end
    end
    def coerce(other)
      other.is_a?(Numeric) ? [-d, d] : super
    end
    def to_f
      return 0 if @d == 0
      @d > 0 ? Float::INFINITY : -Float::INFINITY
    end
  end
end
