class Matrix
  # A real matrix made almost upper triangular by turning it; what stands on the diagonal are eigenvalues, or pairs of complex ones.
  class RealSchurForm
    EPSILON = Float::EPSILON
    attr_reader :real, :imaginary, :vectors

    def initialize(rows)
      @h = rows
      @size = rows.size
      @real = Array.new(@size, 0)
      @imaginary = Array.new(@size, 0)
      @vectors = Array.new(@size) { |row| Array.new(@size) { |column| row == column ? 1.0 : 0.0 } }
      reduce
      @norm = @h.each_with_index.inject(0.0) { |sum, (row, at)| row.drop([at - 1, 0].max).inject(sum) { |all, element| all + element.abs } }
      iterate
      return if @norm == 0.0
      (@size - 1).downto(0) { |at| solve(at) }
      turn_back
    end

    private

    # To Hessenberg's form: zeros below the first diagonal under the main one.
    def reduce
      @mirror = Array.new(@size, 0)
      (1..@size - 2).each { |at| mirror(at) }
      (@size - 2).downto(1) do |at|
        next if @h[at][at - 1] == 0.0
        (at + 1...@size).each { |row| @mirror[row] = @h[row][at - 1] }
        (at...@size).each do |column|
          sum = (at...@size).inject(0.0) { |all, row| all + @mirror[row] * @vectors[row][column] }
          sum = (sum / @mirror[at]) / @h[at][at - 1]
          (at...@size).each { |row| @vectors[row][column] += sum * @mirror[row] }
        end
      end
    end

    def mirror(at)
      scale = (at...@size).inject(0.0) { |sum, row| sum + @h[row][at - 1].abs }
      return if scale == 0.0
      square = 0.0
      upwards = (@size - 1).downto(at)
      upwards.each do |row|
        @mirror[row] = @h[row][at - 1] / scale
        square += @mirror[row] * @mirror[row]
      end
      root = @mirror[at] > 0 ? -Math.sqrt(square) : Math.sqrt(square)
      square -= @mirror[at] * root
      @mirror[at] -= root
      (at...@size).each do |column|
        share = upwards.inject(0.0) { |sum, row| sum + @mirror[row] * @h[row][column] } / square
        (at...@size).each { |row| @h[row][column] -= share * @mirror[row] }
      end
      @h.each do |row|
        share = upwards.inject(0.0) { |sum, column| sum + @mirror[column] * row[column] } / square
        (at...@size).each { |column| row[column] -= share * @mirror[column] }
      end
      @mirror[at] *= scale
      @h[at][at - 1] = scale * root
    end

    # Double QR steps until the lowest one or two rows stand apart, which then are done.
    def iterate
      @shift = 0.0
      tries = 0
      low = @size - 1
      while low >= 0
        top = low
        top -= 1 until top == 0 || apart?(top)
        if top == low
          @h[low][low] += @shift
          @real[low] = @h[low][low]
          @imaginary[low] = 0.0
        elsif top == low - 1 then pair(low)
        else
          double_step(top, low, tries)
          tries += 1
          next
        end
        low = top - 1
        tries = 0
      end
    end

    def apart?(row)
      sum = @h[row - 1][row - 1].abs + @h[row][row].abs
      sum = @norm if sum == 0.0
      @h[row][row - 1].abs < EPSILON * sum
    end

    # The last two rows: two real values or a complex pair.
    def pair(low)
      up = low - 1
      product = @h[low][up] * @h[up][low]
      half = (@h[up][up] - @h[low][low]) / 2.0
      inner = half * half + product
      root = Math.sqrt(inner.abs)
      @h[low][low] += @shift
      @h[up][up] += @shift
      corner = @h[low][low]
      if inner < 0
        @real[up] = @real[low] = corner + half
        @imaginary[up], @imaginary[low] = root, -root
        return
      end
      root = half >= 0 ? half + root : half - root
      @real[up] = @real[low] = corner + root
      @real[low] = corner - product / root if root != 0.0
      @imaginary[up] = @imaginary[low] = 0.0
      turn_pair(up, low, @h[low][up], root)
    end

    def turn_pair(up, low, below, root)
      sum = below.abs + root.abs
      sine, cosine = below / sum, root / sum
      length = Math.sqrt(sine * sine + cosine * cosine)
      sine /= length
      cosine /= length
      (up...@size).each do |column|
        above = @h[up][column]
        @h[up][column] = cosine * above + sine * @h[low][column]
        @h[low][column] = cosine * @h[low][column] - sine * above
      end
      (@h[0..low] + @vectors).each do |row|
        left = row[up]
        row[up] = cosine * left + sine * row[low]
        row[low] = cosine * row[low] - sine * left
      end
    end

    def double_step(top, low, tries)
      first, p, q, r = start_of_step(top, low, *shifts(low, tries))
      (first + 2..low).each do |row|
        @h[row][row - 2] = 0.0
        @h[row][row - 3] = 0.0 if row > first + 2
      end
      (first...low).each do |at|
        three = at != low - 1
        scale = nil
        if at != first
          p, q, r = @h[at][at - 1], @h[at + 1][at - 1], three ? @h[at + 2][at - 1] : 0.0
          scale = p.abs + q.abs + r.abs
          next if scale == 0
          p, q, r = p / scale, q / scale, r / scale
        end
        length = Math.sqrt(p * p + q * q + r * r)
        length = -length if p < 0
        next if length == 0
        if scale then @h[at][at - 1] = -length * scale
        elsif top != first then @h[at][at - 1] = -@h[at][at - 1]
        end
        p += length
        turn(at, low, three, [p / length, q / length, r / length, q / p, r / p])
      end
    end

    # Wilkinson's shift, and the exceptional ones of the tenth and the thirtieth try.
    def shifts(low, tries)
      x = @h[low][low]
      y = @h[low - 1][low - 1]
      w = @h[low][low - 1] * @h[low - 1][low]
      if tries == 10
        shift_all(low, x)
        sum = @h[low][low - 1].abs + @h[low - 1][low - 2].abs
        x = y = 0.75 * sum
        w = -0.4375 * sum * sum
      end
      if tries == 30
        root = (y - x) / 2.0
        root *= root + w
        if root > 0
          root = y < x ? -Math.sqrt(root) : Math.sqrt(root)
          shift_all(low, x - w / ((y - x) / 2.0 + root))
          x = y = w = 0.964
        end
      end
      [x, y, w]
    end

    def shift_all(low, by)
      @shift += by
      (0..low).each { |at| @h[at][at] -= by }
    end

    # The row from which the step goes on, above which two small elements follow each other, and the vector that it begins with.
    def start_of_step(top, low, x, y, w)
      (low - 2).downto(top) do |at|
        here = @h[at][at]
        r, s = x - here, y - here
        p = (r * s - w) / @h[at + 1][at] + @h[at][at + 1]
        q = @h[at + 1][at + 1] - here - r - s
        r = @h[at + 2][at + 1]
        sum = p.abs + q.abs + r.abs
        p, q, r = p / sum, q / sum, r / sum
        return [at, p, q, r] if at == top || small?(at, p, q, r)
      end
    end

    # Whether what stands left of the diagonal does not count beside it, for a step that begins with this vector.
    def small?(at, p, q, r)
      around = @h[at - 1][at - 1].abs + @h[at][at].abs + @h[at + 1][at + 1].abs
      @h[at][at - 1].abs * (q.abs + r.abs) < EPSILON * (p.abs * around)
    end

    def turn(at, low, three, factors)
      x, y, z, q, r = factors
      (at...@size).each do |column|
        sum = @h[at][column] + q * @h[at + 1][column]
        if three
          sum += r * @h[at + 2][column]
          @h[at + 2][column] -= sum * z
        end
        @h[at][column] -= sum * x
        @h[at + 1][column] -= sum * y
      end
      (@h[0..[low, at + 3].min] + @vectors).each do |row|
        sum = x * row[at] + y * row[at + 1]
        if three
          sum += z * row[at + 2]
          row[at + 2] -= sum * r
        end
        row[at] -= sum
        row[at + 1] -= sum * q
      end
    end

    # The vector of a value, out of the triangular form.
    def solve(at)
      imaginary = @imaginary[at]
      if imaginary == 0 then solve_real(at, @real[at])
      elsif imaginary < 0 then solve_complex(@real[at], imaginary)
      end
    end

    def solve_real(at, value)
      from = at
      diagonal = sum = nil
      @h[at][at] = 1.0
      (at - 1).downto(0) do |row|
        here = @h[row][row] - value
        rest = (from..at).inject(0.0) { |all, column| all + @h[row][column] * @h[column][at] }
        if @imaginary[row] < 0.0
          diagonal, sum = here, rest
          next
        end
        from = row
        if @imaginary[row] == 0.0
          @h[row][at] = -rest / (here != 0.0 ? here : EPSILON * @norm)
        else
          x, y = @h[row][row + 1], @h[row + 1][row]
          square = (@real[row] - value) * (@real[row] - value) + @imaginary[row] * @imaginary[row]
          found = @h[row][at] = (x * sum - diagonal * rest) / square
          @h[row + 1][at] = x.abs > diagonal.abs ? (-rest - here * found) / x : (-sum - y * found) / diagonal
        end
        keep_small(row, at)
      end
    end

    # matrix 0.4.2 solves every pair as if it were the last one, and no further than its own two rows. What it answers is kept.
    def solve_complex(value, imaginary)
      above, last = @h[-2], @h[-1]
      if last[-2].abs > above[-1].abs
        above[-2] = imaginary / last[-2]
        above[-1] = -(last[-1] - value) / last[-2]
      else
        above[-2], above[-1] = quotient(0.0, -above[-1], above[-2] - value, imaginary)
      end
      last[-2], last[-1] = 0.0, 1.0
    end

    def keep_small(row, last)
      size = @h[row][last].abs
      (row..last).each { |place| @h[place][last] /= size } if (EPSILON * size) * size > 1
    end

    # A quotient of complex numbers, without overflow on the way.
    def quotient(real, imaginary, by_real, by_imaginary)
      if by_real.abs > by_imaginary.abs
        ratio = by_imaginary / by_real
        size = by_real + ratio * by_imaginary
        [(real + ratio * imaginary) / size, (imaginary - ratio * real) / size]
      else
        ratio = by_real / by_imaginary
        size = by_imaginary + ratio * by_real
        [(ratio * real + imaginary) / size, (ratio * imaginary - real) / size]
      end
    end

    def turn_back
      (@size - 1).downto(0) do |column|
        @vectors.each { |row| row[column] = (0..column).inject(0.0) { |sum, at| sum + row[at] * @h[at][column] } }
      end
    end
  end
  private_constant :RealSchurForm
end
