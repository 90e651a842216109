# What is computed of matrices, and what can be asked of one.
class Matrix
  # A number as the left operand.
  class Scalar < Numeric
    include ExceptionForMatrix
    include CoercionHelper

    def initialize(value)
      @value = value
    end

    %i(+ - * / **).each do |operator|
      define_method(operator) do |other|
        case other
        when Numeric then Scalar.new(@value.public_send(operator, other))
        when Vector, Matrix then with_elements(operator, other)
        else apply_through_coercion(other, operator)
        end
      end
    end

    private

    def with_elements(operator, other)
      return other.collect { |element| @value * element } if operator == :*
      return self * other.inverse if operator == :/ && other.is_a?(Matrix)
      names = [operator.to_s, @value.class, other.class]
      raise operator == :** && other.is_a?(Matrix) ? ErrOperationNotImplemented.new(names) : ErrOperationNotDefined.new(names)
    end
  end

  # The orders of up to four columns, in lexical order, with their signs: the terms of a determinant.
  TERMS = (1..4).to_h do |size|
    [size, (0...size).to_a.permutation.map { |order| [order.combination(2).count { |first, second| first > second }.even?, order] }]
  end
  private_constant :TERMS

  def *(other)
    case other
    when Numeric then new_matrix(@rows.map { |row| row.map { |element| element * other } }, column_count)
    when Vector then (self * self.class.column_vector(other)).column(0)
    when Matrix
      raise ErrDimensionMismatch if column_count != other.row_count
      theirs = other.rows
      product = @rows.map do |row|
        Array.new(other.column_count) do |column|
          sum = 0
          row.each_with_index { |element, at| sum += element * theirs[at][column] }
          sum
        end
      end
      new_matrix(product, other.column_count)
    else apply_through_coercion(other, __method__)
    end
  end

  def +(other) = by_element(other, :+)
  def -(other) = by_element(other, :-)

  def /(other)
    case other
    when Numeric then new_matrix(@rows.map { |row| row.map { |element| element / other } }, column_count)
    when Matrix then self * other.inverse
    else apply_through_coercion(other, __method__)
    end
  end

  def hadamard_product(other) = combine(other) { |mine, its| mine * its }
  alias entrywise_product hadamard_product

  # Powers that are no integers are those of the eigenvalues.
  def **(other)
    case other
    when Integer
      if other == 0
        check_square
        self.class.identity(column_count)
      else
        power(other < 0 ? inverse : self, other.abs)
      end
    when Numeric
      vectors, values, inverse = eigensystem.to_a
      vectors * self.class.diagonal(*values.each(:diagonal).map { |value| value**other }) * inverse
    else raise ErrOperationNotDefined, ["**", self.class, other.class]
    end
  end

  def +@ = self
  def -@ = collect(&:-@)
  def abs = collect(&:abs)
  def round(digits = 0) = map { |element| element.round(digits) }
  def conjugate = collect(&:conjugate)
  alias conj conjugate
  def adjoint = conjugate.transpose
  def imaginary = collect(&:imaginary)
  alias imag imaginary
  def real = collect(&:real)
  def rect = [real, imag]
  alias rectangular rect

  # Gauss and Jordan's elimination; the pivot is the largest that is left in its column.
  def inverse
    check_square
    left = to_a
    right = Array.new(row_count) { |row| Array.new(row_count) { |column| row == column ? 1 : 0 } }
    row_count.times do |at|
      best = at
      (at + 1...row_count).each { |row| best = row if left[row][at].abs > left[best][at].abs }
      raise ErrNotRegular if left[best][at] == 0
      [left, right].each { |rows| rows[at], rows[best] = rows[best], rows[at] } if best != at
      eliminate(left, right, at)
    end
    new_matrix(right, row_count)
  end
  alias inv inverse

  # By the terms up to four rows, beyond that by Bareiss's elimination, which keeps integers integers.
  def determinant
    check_square
    return 1 if row_count == 0
    return eliminated_determinant if row_count > 4
    TERMS[row_count].inject(nil) do |sum, (plus, order)|
      term = order.each_with_index.map { |column, row| @rows[row][column] }.inject(:*)
      sum.nil? ? term : (plus ? sum + term : sum - term)
    end
  end
  alias det determinant

  def determinant_e
    warn "Matrix#determinant_e is deprecated; use #determinant", uplevel: 1
    determinant
  end
  alias det_e determinant_e

  def rank
    rows = to_a
    done = 0
    last = 1
    column_count.times do |column|
      found = (done...row_count).find { |row| rows[row][column] != 0 } or next
      rows[found], rows[done] = rows[done], rows[found]
      reduce_below(rows, done, column, last)
      last = rows[done][column]
      done += 1
    end
    done
  end

  def rank_e
    warn "Matrix#rank_e is deprecated; use #rank", uplevel: 1
    rank
  end

  def rotate_entries(rotation = :clockwise)
    rotation %= 4 if rotation.respond_to?(:to_int)
    case rotation
    when 0 then dup
    when 1, :clockwise then new_matrix(@rows.transpose.map(&:reverse), row_count)
    when 2, :half_turn then new_matrix(@rows.map(&:reverse).reverse, column_count)
    when 3, :counter_clockwise then new_matrix(@rows.transpose.reverse, row_count)
    else raise ArgumentError, "expected #{rotation.inspect} to be one of :clockwise, :counter_clockwise, :half_turn or an integer"
    end
  end

  def trace
    check_square
    column_count.times.inject(0) { |sum, at| sum + @rows[at][at] }
  end
  alias tr trace

  def transpose = row_count == 0 ? self.class.empty(column_count, 0) : new_matrix(@rows.transpose, row_count)
  alias t transpose

  def eigensystem = EigenvalueDecomposition.new(self)
  alias eigen eigensystem
  def lup = LUPDecomposition.new(self)
  alias lup_decomposition lup

  def empty? = column_count == 0 || row_count == 0
  def square? = column_count == row_count
  def real? = all?(&:real?)
  def zero? = all?(&:zero?)
  def singular? = determinant == 0
  def regular? = !singular?
  def lower_triangular? = each(:strict_upper).all?(&:zero?)
  def upper_triangular? = each(:strict_lower).all?(&:zero?)

  def diagonal?
    check_square
    each(:off_diagonal).all?(&:zero?)
  end
  def hermitian?
    check_square
    each_with_index(:upper).all? { |element, row, column| element == @rows[column][row].conj }
  end
  def symmetric?
    check_square
    each_with_index(:strict_upper).all? { |element, row, column| element == @rows[column][row] }
  end
  def antisymmetric?
    check_square
    each_with_index(:upper).all? { |element, row, column| element == -@rows[column][row] }
  end
  alias skew_symmetric? antisymmetric?
  def normal?
    sums?(->(_one, _other) { 0 }) { |one, other, at| @rows[one][at] * @rows[other][at].conj - @rows[at][one].conj * @rows[at][other] }
  end
  def orthogonal? = sums?(->(one, other) { one == other ? 1 : 0 }) { |one, other, at| @rows[one][at] * @rows[other][at] }
  def unitary? = sums?(->(one, other) { one == other ? 1 : 0 }) { |one, other, at| @rows[one][at].conj * @rows[other][at] }
  def permutation?
    check_square
    taken = @rows.map do |row|
      return false unless row.all? { |element| element == 1 || element == 0 } && row.count { |element| element == 1 } == 1
      row.index { |element| element == 1 }
    end
    taken.uniq.size == taken.size
  end

  private

  def power(base, exponent)
    return base if exponent == 1
    return base * power(base, exponent - 1) if exponent.odd?
    half = power(base, exponent / 2)
    half * half
  end

  def by_element(other, operator)
    case other
    when Numeric then raise ErrOperationNotDefined, [operator.to_s, self.class, other.class]
    when Vector then other = self.class.column_vector(other)
    when Matrix then nil
    else return apply_through_coercion(other, operator)
    end
    raise ErrDimensionMismatch unless row_count == other.row_count && column_count == other.column_count
    new_matrix(@rows.zip(other.rows).map { |mine, its| mine.zip(its).map { |one, two| one.public_send(operator, two) } }, column_count)
  end

  # Takes the row with the pivot off all others, so that its column is the identity's there.
  def eliminate(left, right, at)
    pivot = left[at][at]
    row_count.times do |row|
      next if row == at
      factor = left[row][at].quo(pivot)
      left[row][at] = 0
      (at + 1...row_count).each { |column| left[row][column] -= left[at][column] * factor }
      row_count.times { |column| right[row][column] -= right[at][column] * factor }
    end
    (at + 1...row_count).each { |column| left[at][column] = left[at][column].quo(pivot) }
    right[at].map! { |element| element.quo(pivot) }
  end

  def eliminated_determinant
    rows = to_a
    sign = last = 1
    row_count.times do |at|
      if rows[at][at] == 0
        other = (at + 1...row_count).find { |row| rows[row][at] != 0 } or return 0
        rows[at], rows[other] = rows[other], rows[at]
        sign = -sign
      end
      reduce_below(rows, at, at, last)
      last = rows[at][at]
    end
    sign * last
  end

  # A step of Bareiss's elimination: the division by the pivot before leaves no remainder.
  def reduce_below(rows, done, column, last)
    pivot = rows[done][column]
    (done + 1...row_count).each do |row|
      (column + 1...column_count).each do |at|
        rows[row][at] = (pivot * rows[row][at] - rows[row][column] * rows[done][at]) / last
      end
    end
  end

  # Whether, for each two rows, what the block makes of their elements adds up to what is wanted.
  def sums?(wanted)
    check_square
    row_count.times.all? do |one|
      row_count.times.all? do |other|
        sum = 0
        row_count.times { |at| sum += yield(one, other, at) }
        sum == wanted.call(one, other)
      end
    end
  end
end
