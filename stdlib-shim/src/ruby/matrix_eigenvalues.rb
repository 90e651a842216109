require "matrix"
require "matrix/real_schur_form"

class Matrix
  # Eigenvalues and eigenvectors by EISPACK's algorithms: tred2 and tql2 for symmetric matrices, orthes and hqr2 for the others. The order of
  # the operations is theirs as well, since the last digits depend on it.
  class EigenvalueDecomposition
    def initialize(matrix)
      raise TypeError, "Expected Matrix but got #{matrix.class}" unless matrix.is_a?(Matrix)
      @size = matrix.row_count
      @real = Array.new(@size, 0)
      @imaginary = Array.new(@size, 0)
      if (@symmetric = matrix.symmetric?)
        @vectors = matrix.to_a
        tridiagonalize
        diagonalize
      else
        form = RealSchurForm.new(matrix.to_a)
        @real, @imaginary, @vectors = form.real, form.imaginary, form.vectors
      end
    end

    def eigenvector_matrix = Matrix.__send__(:new, columns.transpose)
    alias v eigenvector_matrix
    # The vectors of a symmetric matrix are orthonormal.
    def eigenvector_matrix_inv
      rows = Matrix.__send__(:new, columns)
      @symmetric ? rows : rows.transpose.inverse
    end
    alias v_inv eigenvector_matrix_inv
    def eigenvalues = @real.zip(@imaginary).map { |real, imaginary| imaginary == 0 ? real : Complex(real, imaginary) }
    def eigenvectors = columns.map { |column| Vector.__send__(:new, column) }
    def eigenvalue_matrix = Matrix.diagonal(*eigenvalues)
    alias d eigenvalue_matrix
    def to_ary = [v, d, v_inv]
    alias to_a to_ary

    private

    # Of a pair of complex vectors the real parts are one column, the imaginary parts the next.
    def columns
      @imaginary.each_with_index.map do |imaginary, at|
        if imaginary == 0 then @vectors.map { |row| row[at] }
        elsif imaginary > 0 then @vectors.map { |row| Complex(row[at], row[at + 1]) }
        else @vectors.map { |row| Complex(row[at - 1], -row[at]) }
        end
      end
    end

    # Householder's reflections; `@imaginary` holds what is beside the diagonal until the end.
    def tridiagonalize
      last = @size - 1
      @size.times { |column| @real[column] = @vectors[last][column] }
      last.downto(1) { |row| @real[row] = reflect(row) }
      last.times { |row| accumulate(row, last) }
      @size.times do |column|
        @real[column] = @vectors[last][column]
        @vectors[last][column] = 0.0
      end
      @vectors[last][last] = 1.0
      @imaginary[0] = 0.0
    end

    def reflect(row)
      scale = row.times.inject(0.0) { |sum, at| sum + @real[at].abs }
      if scale == 0.0
        @imaginary[row] = @real[row - 1]
        row.times do |at|
          @real[at] = @vectors[row - 1][at]
          @vectors[row][at] = @vectors[at][row] = 0.0
        end
        return 0.0
      end
      square = 0.0
      row.times do |at|
        @real[at] /= scale
        square += @real[at] * @real[at]
      end
      edge = @real[row - 1]
      root = edge > 0 ? -Math.sqrt(square) : Math.sqrt(square)
      @imaginary[row] = scale * root
      square -= edge * root
      @real[row - 1] = edge - root
      apply_reflection(row, square)
      square
    end

    def apply_reflection(row, square)
      row.times { |at| @imaginary[at] = 0.0 }
      row.times do |at|
        factor = @vectors[at][row] = @real[at]
        sum = @imaginary[at] + @vectors[at][at] * factor
        (at + 1...row).each do |below|
          sum += @vectors[below][at] * @real[below]
          @imaginary[below] += @vectors[below][at] * factor
        end
        @imaginary[at] = sum
      end
      product = 0.0
      row.times do |at|
        @imaginary[at] /= square
        product += @imaginary[at] * @real[at]
      end
      share = product / (square + square)
      row.times { |at| @imaginary[at] -= share * @real[at] }
      row.times do |at|
        one, other = @real[at], @imaginary[at]
        (at...row).each { |below| @vectors[below][at] -= one * @imaginary[below] + other * @real[below] }
        @real[at] = @vectors[row - 1][at]
        @vectors[row][at] = 0.0
      end
    end

    def accumulate(row, last)
      @vectors[last][row] = @vectors[row][row]
      @vectors[row][row] = 1.0
      square = @real[row + 1]
      if square != 0.0
        (0..row).each { |at| @real[at] = @vectors[at][row + 1] / square }
        (0..row).each do |column|
          sum = (0..row).inject(0.0) { |all, at| all + @vectors[at][row + 1] * @vectors[at][column] }
          (0..row).each { |at| @vectors[at][column] -= sum * @real[at] }
        end
      end
      (0..row).each { |at| @vectors[at][row + 1] = 0.0 }
    end

    # Implicit QL steps, one eigenvalue after another.
    def diagonalize
      @imaginary = @imaginary.drop(1) << 0.0
      shift = largest = 0.0
      @size.times do |at|
        largest = [largest, @real[at].abs + @imaginary[at].abs].max
        limit = Float::EPSILON * largest
        stop = (at...@size).find { |place| @imaginary[place].abs <= limit } || @size
        while stop > at
          shift += shift_by(at)
          sweep(at, stop)
          break unless @imaginary[at].abs > limit
        end
        @real[at] += shift
        @imaginary[at] = 0.0
      end
      sort
    end

    def shift_by(at)
      old = @real[at]
      ratio = (@real[at + 1] - old) / (2.0 * @imaginary[at])
      root = Math.hypot(ratio, 1.0)
      root = -root if ratio < 0
      @real[at] = @imaginary[at] / (ratio + root)
      @real[at + 1] = @imaginary[at] * (ratio + root)
      difference = old - @real[at]
      (at + 2...@size).each { |place| @real[place] -= difference }
      difference
    end

    def sweep(at, stop)
      second, beside = @real[at + 1], @imaginary[at + 1]
      value = @real[stop]
      cosine = cosine2 = cosine3 = 1.0
      sine = sine2 = 0.0
      (stop - 1).downto(at) do |place|
        cosine3, cosine2, sine2 = cosine2, cosine, sine
        turned = cosine * @imaginary[place]
        product = cosine * value
        length = Math.hypot(value, @imaginary[place])
        @imaginary[place + 1] = sine * length
        sine = @imaginary[place] / length
        cosine = value / length
        value = cosine * @real[place] - sine * turned
        @real[place + 1] = product + sine * (cosine * turned + sine * @real[place])
        @vectors.each do |row|
          left, right = row[place], row[place + 1]
          row[place + 1] = sine * left + cosine * right
          row[place] = cosine * left - sine * right
        end
      end
      value = -sine * sine2 * cosine3 * beside * @imaginary[at] / second
      @imaginary[at] = sine * value
      @real[at] = cosine * value
    end

    # Ascending, each value with its vector.
    def sort
      (@size - 1).times do |at|
        least = at
        (at + 1...@size).each { |other| least = other if @real[other] < @real[least] }
        next if least == at
        [@real, *@vectors].each { |row| row[at], row[least] = row[least], row[at] }
      end
    end
  end
end
