# Matrices and vectors of numbers, as matrix 0.4.2 has them.
module ExceptionForMatrix
  class ErrDimensionMismatch < StandardError
    def initialize(message = nil) = super(message || "Dimension mismatch")
  end
  class ErrNotRegular < StandardError
    def initialize(message = nil) = super(message || "Not Regular Matrix")
  end
  class ErrOperationNotDefined < StandardError
    def initialize(given) = super(given.is_a?(Array) ? "Operation(#{given[0]}) can't be defined: #{given[1]} op #{given[2]}" : given)
  end
  class ErrOperationNotImplemented < StandardError
    def initialize(given) = super("Sorry, Operation(#{given[0]}) not implemented: #{given[1]} op #{given[2]}")
  end
end

class Matrix
  include Enumerable
  include ExceptionForMatrix
  VERSION = "0.4.2"
  autoload :EigenvalueDecomposition, "matrix/eigenvalue_decomposition"
  autoload :LUPDecomposition, "matrix/lup_decomposition"

  # Rows and columns out of what can be taken for one.
  module ConversionHelper
    private

    def convert_to_array(object, copy = false)
      case object
      when Array then return copy ? object.dup : object
      when Vector then return object.to_a
      end
      begin
        converted = object.to_ary
      rescue Exception => error # rubocop:disable Lint/RescueException
        raise TypeError, "can't convert #{object.class} into an Array (#{error.message})"
      end
      converted.is_a?(Array) ? converted : raise(TypeError, "#{object.class}#to_ary should return an Array")
    end
  end

  # Operands and indices out of what can be taken for one.
  module CoercionHelper
    class << self
      def coerce_to(object, wanted, method)
        return object if object.is_a?(wanted)
        raise TypeError, "Expected a #{wanted} but got a #{object.class}" unless object.respond_to?(method)
        begin
          made = object.__send__(method)
        rescue Exception => error # rubocop:disable Lint/RescueException
          raise TypeError, "Coercion error: #{object.inspect}.#{method} => #{wanted} failed:\n(#{error.message})"
        end
        made.is_a?(wanted) ? made : raise(TypeError, "Coercion error: obj.#{method} did NOT return a #{wanted} (was #{made.class})")
      end
      def coerce_to_int(object) = coerce_to(object, Integer, :to_int)
      def coerce_to_matrix(object) = coerce_to(object, Matrix, :to_matrix)

      # The range from the start, its end included.
      def check_range(range, count, kind)
        first = range.begin < 0 ? range.begin + count : range.begin
        last = range.end || -1
        last += count if last < 0
        last -= 1 if range.end && range.exclude_end?
        raise IndexError, "given range #{range} is outside of #{kind} dimensions: 0...#{count}" unless 0 <= first && first <= last && last < count
        first..last
      end

      def check_place(index, count, kind) = index.is_a?(Range) ? check_range(index, count, kind) : check_int(index, count, kind)

      def check_int(index, count, kind)
        index = coerce_to_int(index)
        raise IndexError, "given #{kind} #{index} is outside of #{-count}...#{count}" if index >= count || index < -count
        index
      end
    end

    private

    def apply_through_coercion(object, operator)
      pair = object.coerce(self)
      raise TypeError unless pair.is_a?(Array) && pair.length == 2
      pair[0].public_send(operator, pair[1])
    rescue StandardError
      raise TypeError, "#{object.inspect} can't be coerced into #{self.class}"
    end
  end

  include CoercionHelper
  extend ConversionHelper

  class << self
    private :new

    def [](*rows) = rows(rows, false)

    def rows(rows, copy = true)
      rows = convert_to_array(rows, copy).map! { |row| convert_to_array(row, copy) }
      size = (rows[0] || []).size
      odd = rows.find { |row| row.size != size }
      raise ErrDimensionMismatch, "row size differs (#{odd.size} should be #{size})" if odd
      new(rows, size)
    end

    def columns(columns) = rows(columns, false).transpose

    def build(row_count, column_count = row_count)
      row_count = CoercionHelper.coerce_to_int(row_count)
      column_count = CoercionHelper.coerce_to_int(column_count)
      raise ArgumentError if row_count < 0 || column_count < 0
      return to_enum(:build, row_count, column_count) unless block_given?
      new(Array.new(row_count) { |row| Array.new(column_count) { |column| yield row, column } }, column_count)
    end

    def diagonal(*values)
      return Matrix.empty if values.empty?
      new(values.map.with_index { |value, at| Array.new(values.size, 0).tap { |row| row[at] = value } })
    end
    def scalar(size, value) = diagonal(*Array.new(size, value))
    def identity(size) = scalar(size, 1)
    alias unit identity
    alias I identity
    def zero(row_count, column_count = row_count) = new(Array.new(row_count) { Array.new(column_count, 0) }, column_count)
    def row_vector(row) = new([convert_to_array(row)])
    def column_vector(column) = new([convert_to_array(column)].transpose, 1)

    def empty(row_count = 0, column_count = 0)
      raise ArgumentError, "One size must be 0" if column_count != 0 && row_count != 0
      raise ArgumentError, "Negative size" if column_count < 0 || row_count < 0
      new([[]] * row_count, column_count)
    end

    def vstack(first, *others)
      first = CoercionHelper.coerce_to_matrix(first)
      rows = first.to_a
      others.each do |other|
        other = CoercionHelper.coerce_to_matrix(other)
        if other.column_count != first.column_count
          raise ErrDimensionMismatch, "The given matrices must have #{first.column_count} columns, but one has #{other.column_count}"
        end
        rows.concat(other.to_a)
      end
      new(rows, first.column_count)
    end

    def hstack(first, *others)
      first = CoercionHelper.coerce_to_matrix(first)
      rows = first.to_a
      width = first.column_count
      others.each do |other|
        other = CoercionHelper.coerce_to_matrix(other)
        if other.row_count != first.row_count
          raise ErrDimensionMismatch, "The given matrices must have #{first.row_count} rows, but one has #{other.row_count}"
        end
        rows.zip(other.to_a) { |row, more| row.concat(more) }
        width += other.column_count
      end
      new(rows, width)
    end

    def combine(*matrices)
      return to_enum(__method__, *matrices) unless block_given?
      return Matrix.empty if matrices.empty?
      matrices.map! { |matrix| CoercionHelper.coerce_to_matrix(matrix) }
      first = matrices.first
      matrices.each { |matrix| raise ErrDimensionMismatch unless first.row_count == matrix.row_count && first.column_count == matrix.column_count }
      rows = Array.new(first.row_count) { |row| Array.new(first.column_count) { |column| yield(matrices.map { |matrix| matrix[row, column] }) } }
      new(rows, first.column_count)
    end
  end

  attr_reader :rows, :column_count
  protected :rows
  alias column_size column_count

  def initialize(rows, column_count = rows[0].size)
    @rows = rows
    @column_count = column_count
  end

  def combine(*others, &block) = Matrix.combine(self, *others, &block)
  def hstack(*others) = self.class.hstack(self, *others)
  def vstack(*others) = self.class.vstack(self, *others)
  def row_count = @rows.size
  alias row_size row_count

  def [](row, column) = @rows.fetch(row) { return nil }[column]
  alias element []
  alias component []

  # Either index may be a range; the value then is a matrix or vector of that shape, or one for all places.
  def []=(row, column, value)
    raise FrozenError, "can't modify frozen Matrix" if frozen?
    row = CoercionHelper.check_place(row, row_count, :row)
    column = CoercionHelper.check_place(column, column_count, :column)
    if row.is_a?(Range) && column.is_a?(Range) then set_part(row, column, value)
    elsif row.is_a?(Range)
      value = value.transpose if value.is_a?(Matrix)
      row.zip(line_of(value, row.size)) { |at, element| @rows[at][column] = element }
    elsif column.is_a?(Range) then @rows[row][column] = line_of(value, column.size)
    else
      raise ErrDimensionMismatch, "Expected a value, got a #{value.class}" if value.respond_to?(:to_matrix)
      @rows[row][column] = value
    end
  end
  alias set_element []=
  alias set_component []=
  private :set_element, :set_component

  def row(index, &block)
    row = @rows.fetch(index) { return block ? self : nil }
    return Vector.elements(row) unless block
    row.each(&block)
    self
  end

  def column(index)
    there = !(index >= column_count || index < -column_count)
    return there ? Vector.elements(@rows.map { |row| row[index] }, false) : nil unless block_given?
    @rows.each { |row| yield row[index] } if there
    self
  end

  def collect(which = :all, &block)
    return to_enum(:collect, which) unless block
    dup.collect!(which, &block)
  end
  alias map collect

  def collect!(which = :all)
    return to_enum(:collect!, which) unless block_given?
    raise FrozenError, "can't modify frozen Matrix" if frozen?
    each_with_index(which) { |element, row, column| @rows[row][column] = yield(element) }
  end
  alias map! collect!

  def freeze
    @rows.each(&:freeze).freeze
    super
  end

  def each(which = :all, &block)
    return to_enum(:each, which) unless block
    if which == :all
      @rows.each { |row| row.each(&block) }
    else
      each_place(which) { |row, column| yield @rows[row][column] }
    end
    self
  end

  def each_with_index(which = :all)
    return to_enum(:each_with_index, which) unless block_given?
    each_place(which) { |row, column| yield @rows[row][column], row, column }
    self
  end

  # The columns of a row that each selection takes, for the row's index and the number of columns.
  SELECTORS = {
    all: ->(_row, count) { 0...count },
    diagonal: ->(row, count) { row < count ? row..row : 0...0 },
    off_diagonal: ->(row, count) { (0...count).reject { |column| column == row } },
    lower: ->(row, count) { 0...[row + 1, count].min },
    strict_lower: ->(row, count) { 0...[row, count].min },
    strict_upper: ->(row, count) { row + 1...count },
    upper: ->(row, count) { row...count },
  }.freeze

  def index(*args)
    raise ArgumentError, "wrong number of arguments(#{args.size} for 0-2)" if args.size > 2
    which = args.size == 2 || SELECTORS.key?(args.last) ? args.pop : :all
    return to_enum(:find_index, which, *args) unless block_given? || args.size == 1
    each_with_index(which) { |element, row, column| return [row, column] if args.empty? ? yield(element) : element == args[0] }
    nil
  end
  alias find_index index

  # A part: two ranges, or where it starts and its size, for rows and for columns.
  def minor(*given)
    case given.size
    when 2
      row, height = part_of(given[0], row_count)
      column, width = part_of(given[1], column_count)
    when 4
      row, height, column, width = given
      return nil if height < 0 || width < 0
      row += row_count if row < 0
      column += column_count if column < 0
    else raise ArgumentError, given.inspect
    end
    return nil if row > row_count || column > column_count || row < 0 || column < 0
    new_matrix(@rows[row, height].map { |each| each[column, width] }, [column_count - column, width].min)
  end

  def first_minor(row, column)
    raise "first_minor of empty matrix is not defined" if empty?
    raise ArgumentError, "invalid row (#{row.inspect} for 0..#{row_count - 1})" unless 0 <= row && row < row_count
    raise ArgumentError, "invalid column (#{column.inspect} for 0..#{column_count - 1})" unless 0 <= column && column < column_count
    rows = to_a
    rows.delete_at(row)
    rows.each { |each| each.delete_at(column) }
    new_matrix(rows, column_count - 1)
  end

  def cofactor(row, column)
    raise "cofactor of empty matrix is not defined" if empty?
    check_square
    first_minor(row, column).determinant * (-1)**(row + column)
  end

  def adjugate
    check_square
    Matrix.build(row_count, column_count) { |row, column| cofactor(column, row) }
  end

  def laplace_expansion(row: nil, column: nil)
    line = row || column
    raise ArgumentError, "exactly one the row or column arguments must be specified" if !line || (row && column)
    check_square
    raise "laplace_expansion of empty matrix is not defined" if empty?
    raise ArgumentError, "invalid num (#{line.inspect} for 0..#{row_count - 1})" unless 0 <= line && line < row_count
    (row ? row(line) : column(line)).map.with_index { |element, at| element * (row ? cofactor(line, at) : cofactor(at, line)) }.inject(:+)
  end
  alias cofactor_expansion laplace_expansion

  def to_matrix = self
  def to_a = @rows.map(&:dup)
  def row_vectors = Array.new(row_count) { |at| row(at) }
  def column_vectors = Array.new(column_count) { |at| column(at) }
  %i(to_f to_i to_r).each do |name|
    define_method(:"elements_#{name}") do
      warn "Matrix#elements_#{name} is deprecated, use map(&:#{name})", uplevel: 1
      map(&name)
    end
  end

  def coerce(other)
    raise TypeError, "#{self.class} can't be coerced into #{other.class}" unless other.is_a?(Numeric)
    [Scalar.new(other), self]
  end

  def to_s = empty? ? inspect : "#{self.class}[#{@rows.map { |row| "[#{row.map(&:to_s).join(", ")}]" }.join(", ")}]"
  def inspect = empty? ? "#{self.class}.empty(#{row_count}, #{column_count})" : "#{self.class}#{@rows.inspect}"

  def ==(other) = other.is_a?(Matrix) && column_count == other.column_count && rows == other.rows
  def eql?(other) = other.is_a?(Matrix) && column_count == other.column_count && rows.eql?(other.rows)
  def hash = @rows.hash

  private

  def initialize_copy(other)
    super
    @rows = @rows.map(&:dup) unless frozen?
  end

  # A matrix of the same class.
  def new_matrix(rows, column_count = rows[0].size) = self.class.__send__(:new, rows, column_count)

  def each_place(which)
    columns = SELECTORS[which] or
      raise ArgumentError, "expected #{which.inspect} to be one of :all, :diagonal, :off_diagonal, :lower, :strict_lower, :strict_upper or :upper"
    row_count.times { |row| columns.call(row, column_count).each { |column| yield row, column } }
  end

  def part_of(range, count)
    first = range.first
    first += count if first < 0
    last = range.end
    last += count if last < 0
    [first, last - first + (range.exclude_end? ? 0 : 1)]
  end

  def check_square
    raise ErrDimensionMismatch unless square?
  end

  def set_part(rows, columns, value)
    case value
    when Matrix
      if rows.size != value.row_count || columns.size != value.column_count
        raise ErrDimensionMismatch, "Expected a Matrix of dimensions #{rows.size}x#{columns.size} got #{value.row_count}x#{value.column_count}"
      end
      rows.zip(value.rows) { |row, elements| @rows[row][columns] = elements }
    when Vector then raise ErrDimensionMismatch, "Expected a Matrix or a value, got a Vector"
    else rows.each { |row| @rows[row][columns] = Array.new(columns.size, value) }
    end
  end

  # Elements for that many places in a row or column: those of a vector or of a matrix that is one row, or one value for all.
  def line_of(value, size)
    case value
    when Matrix
      raise ErrDimensionMismatch unless value.row_count == 1
      elements = value.rows[0]
    when Vector then elements = value.to_a
    else return Array.new(size, value)
    end
    elements.size == size ? elements : raise(ErrDimensionMismatch)
  end
end

require "matrix/arithmetic"
require "matrix/vector"
