# A column of numbers, which belongs to Matrix.
class Vector
  include ExceptionForMatrix
  include Enumerable
  include Matrix::CoercionHelper
  extend Matrix::ConversionHelper

  class ZeroVectorError < StandardError; end

  class << self
    private :new

    def [](*elements) = new(convert_to_array(elements, false))
    def elements(array, copy = true) = new(convert_to_array(array, copy))

    def basis(size:, index:)
      raise ArgumentError, "invalid size (#{size} for 1..)" if size < 1
      raise ArgumentError, "invalid index (#{index} for 0...#{size})" unless 0 <= index && index < size
      new(Array.new(size, 0).tap { |made| made[index] = 1 })
    end

    def zero(size)
      raise ArgumentError, "invalid size (#{size} for 0..)" if size < 0
      new(Array.new(size, 0))
    end

    def independent?(*vectors)
      vectors.each do |vector|
        raise TypeError, "expected Vector, got #{vector.class}" unless vector.is_a?(Vector)
        raise ErrDimensionMismatch unless vector.size == vectors.first.size
      end
      vectors.count <= vectors.first.size && Matrix[*vectors].rank.eql?(vectors.count)
    end
  end

  attr_reader :elements
  protected :elements

  def initialize(array)
    @elements = array
  end

  def [](index) = @elements[index]
  alias element []
  alias component []

  def []=(index, value)
    raise FrozenError, "can't modify frozen Vector" if frozen?
    if index.is_a?(Range)
      range = Matrix::CoercionHelper.check_range(index, size, :vector)
      @elements[range] = values_for(range, value)
    else
      @elements[Matrix::CoercionHelper.check_int(index, size, :index)] = value
    end
  end
  alias set_element []=
  alias set_component []=
  private :set_element, :set_component

  def size = @elements.size
  def round(digits = 0) = map { |element| element.round(digits) }

  def each(&block)
    return to_enum(:each) unless block
    @elements.each(&block)
    self
  end

  def each2(other)
    check_pair(other)
    return to_enum(:each2, other) unless block_given?
    size.times { |at| yield @elements[at], other[at] }
    self
  end

  def collect2(other)
    check_pair(other)
    return to_enum(:collect2, other) unless block_given?
    Array.new(size) { |at| yield @elements[at], other[at] }
  end

  def map2(other, &block)
    return to_enum(:map2, other) unless block
    self.class.elements(collect2(other, &block), false)
  end

  def collect(&block)
    return to_enum(:collect) unless block
    self.class.elements(@elements.map(&block), false)
  end
  alias map collect

  def collect!(&block)
    return to_enum(:collect!) unless block
    raise FrozenError, "can't modify frozen Vector" if frozen?
    @elements.map!(&block)
    self
  end
  alias map! collect!

  def independent?(*others) = self.class.independent?(self, *others)
  def zero? = all?(&:zero?)
  def freeze
    @elements.freeze
    super
  end
  def ==(other) = other.is_a?(Vector) && @elements == other.elements
  def eql?(other) = other.is_a?(Vector) && @elements.eql?(other.elements)
  def hash = @elements.hash

  def *(other)
    case other
    when Numeric then self.class.elements(@elements.map { |element| element * other }, false)
    when Matrix then Matrix.column_vector(self) * other
    when Vector then raise ErrOperationNotDefined, ["*", self.class, other.class]
    else apply_through_coercion(other, __method__)
    end
  end

  def +(other) = by_element(other, :+)
  def -(other) = by_element(other, :-)

  def /(other)
    case other
    when Numeric then self.class.elements(@elements.map { |element| element / other }, false)
    when Matrix, Vector then raise ErrOperationNotDefined, ["/", self.class, other.class]
    else apply_through_coercion(other, __method__)
    end
  end

  def +@ = self
  def -@ = collect(&:-@)

  def inner_product(other)
    raise ErrDimensionMismatch if size != other.size
    sum = 0
    each2(other) { |mine, its| sum += mine * its.conj }
    sum
  end
  alias dot inner_product

  # In n dimensions it takes n - 1 vectors, this one being the first.
  def cross_product(*others)
    raise ErrOperationNotDefined, "cross product is not defined on vectors of dimension #{size}" unless size >= 2
    raise ArgumentError, "wrong number of arguments (#{others.size} for #{size - 2})" unless others.size == size - 2
    others.each do |other|
      raise TypeError, "expected Vector, got #{other.class}" unless other.is_a?(Vector)
      raise ErrDimensionMismatch unless other.size == size
    end
    x, y, z = @elements
    case size
    when 2 then Vector[-y, x]
    when 3
      a, b, c = others[0].elements
      Vector[c * y - b * z, a * z - c * x, b * x - a * y]
    else
      axes = Array.new(size) { |at| Vector.basis(size: size, index: at) }
      Matrix.rows([self, *others, axes]).laplace_expansion(row: size - 1)
    end
  end
  alias cross cross_product

  def magnitude = Math.sqrt(@elements.inject(0) { |sum, element| sum + element.abs2 })
  alias r magnitude
  alias norm magnitude

  def normalize
    length = magnitude
    raise ZeroVectorError, "Zero vectors can not be normalized" if length == 0
    self / length
  end

  # Rounding may bring the cosine beyond one, so that such vectors are taken as parallel.
  def angle_with(other)
    raise TypeError, "Expected a Vector, got a #{other.class}" unless other.is_a?(Vector)
    raise ErrDimensionMismatch if size != other.size
    lengths = magnitude * other.magnitude
    raise ZeroVectorError, "Can't get angle of zero vector" if lengths == 0
    product = inner_product(other)
    return product.positive? ? 0 : Math::PI if product.abs >= lengths
    Math.acos(product / lengths)
  end

  def covector = Matrix.row_vector(self)
  def to_a = @elements.dup
  def to_matrix = Matrix.column_vector(self)
  %i(to_f to_i to_r).each do |name|
    define_method(:"elements_#{name}") do
      warn "Vector#elements_#{name} is deprecated", uplevel: 1
      map(&name)
    end
  end

  def coerce(other)
    raise TypeError, "#{self.class} can't be coerced into #{other.class}" unless other.is_a?(Numeric)
    [Matrix::Scalar.new(other), self]
  end

  def to_s = "Vector[#{@elements.join(", ")}]"
  def inspect = "Vector#{@elements.inspect}"

  private

  def initialize_copy(other)
    super
    @elements = @elements.dup unless frozen?
  end

  def check_pair(other)
    raise TypeError, "Integer is not like Vector" if other.is_a?(Integer)
    raise ErrDimensionMismatch if size != other.size
  end

  def values_for(range, value)
    case value
    when Vector
      raise ArgumentError, "vector to be set has wrong size" unless range.size == value.size
      value.elements
    when Matrix
      raise ErrDimensionMismatch unless value.row_count == 1
      value.row(0).elements
    else Array.new(range.size, value)
    end
  end

  def by_element(other, operator)
    case other
    when Vector then self.class.elements(collect2(other, &operator), false)
    when Matrix then Matrix.column_vector(self).public_send(operator, other)
    else apply_through_coercion(other, operator)
    end
  end
end
