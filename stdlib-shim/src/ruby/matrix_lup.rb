require "matrix"

class Matrix
  # A matrix as the product of a lower and an upper triangular one, its rows permuted so that every pivot is the largest in its column.
  class LUPDecomposition
    include Matrix::ConversionHelper
    attr_reader :pivots

    # Crout's way, a column after another: what is below the diagonal is the lower one's, whose diagonal is all ones.
    def initialize(matrix)
      raise TypeError, "Expected Matrix but got #{matrix.class}" unless matrix.is_a?(Matrix)
      @lu = matrix.to_a
      @row_count, @column_count = matrix.row_count, matrix.column_count
      @pivots = Array.new(@row_count) { |row| row }
      @pivot_sign = 1
      @column_count.times { |column| reduce(column) }
    end

    def l = Matrix.build(@row_count, [@column_count, @row_count].min) { |row, column| row > column ? @lu[row][column] : (row == column ? 1 : 0) }
    def u = Matrix.build([@column_count, @row_count].min, @column_count) { |row, column| row <= column ? @lu[row][column] : 0 }
    def p = Matrix.build(@row_count) { |row, column| @pivots[row] == column ? 1 : 0 }
    def to_ary = [l, u, p]
    alias to_a to_ary

    def singular? = @column_count.times.any? { |at| @lu[at][at] == 0 }

    def det
      raise Matrix::ErrDimensionMismatch unless @row_count == @column_count
      @column_count.times.inject(@pivot_sign) { |product, at| product * @lu[at][at] }
    end
    alias determinant det

    # What the matrix has to be multiplied by to make the right side, which is a Matrix, a Vector or an Array.
    def solve(right)
      raise Matrix::ErrNotRegular, "Matrix is singular." if singular?
      if right.is_a?(Matrix)
        raise Matrix::ErrDimensionMismatch if right.row_count != @row_count
        rows = @pivots.map { |row| right.row(row).to_a }
        Matrix.__send__(:new, substitute(rows), right.column_count)
      else
        right = convert_to_array(right)
        raise Matrix::ErrDimensionMismatch if right.size != @row_count
        Vector.elements(substitute(right.values_at(*@pivots).map { |element| [element] }).map(&:first), false)
      end
    end

    private

    def reduce(at)
      @row_count.times do |row|
        sum = 0
        [row, at].min.times { |step| sum += @lu[row][step] * @lu[step][at] }
        @lu[row][at] -= sum
      end
      best = at
      (at + 1...@row_count).each { |row| best = row if @lu[row][at].abs > @lu[best][at].abs }
      exchange(best, at) if best != at
      return unless at < @row_count && @lu[at][at] != 0
      (at + 1...@row_count).each { |row| @lu[row][at] = @lu[row][at].quo(@lu[at][at]) }
    end

    def exchange(row, other)
      @lu[row], @lu[other] = @lu[other], @lu[row]
      @pivots[row], @pivots[other] = @pivots[other], @pivots[row]
      @pivot_sign = -@pivot_sign
    end

    # Forwards through the lower matrix, then backwards through the upper one.
    def substitute(rows)
      @column_count.times { |done| (done + 1...@column_count).each { |row| subtract(rows, row, done) } }
      (@column_count - 1).downto(0) do |done|
        rows[done].map! { |element| element.quo(@lu[done][done]) }
        done.times { |row| subtract(rows, row, done) }
      end
      rows
    end

    def subtract(rows, row, done)
      rows[row].each_index { |at| rows[row][at] -= rows[done][at] * @lu[row][done] }
    end
  end
end
