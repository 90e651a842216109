# Systems of equations with decimal numbers: solved by elimination, and by Newton's method.
require "bigdecimal"

module LUSolve
  module_function

  # Splits a matrix of n rows, given row by row, into a lower and an upper one in its place; gives the order of the rows.
  def ludecomp(a, n, zero = 0, one = 1)
    order = Array.new(n) { |row| row }
    scales = Array.new(n) do |row|
      largest = a[row * n, n].map(&:abs).max
      raise "Singular matrix" if largest <= zero
      one.div(largest, BigDecimal.limit.zero? ? [largest.precs[0], 20].max : BigDecimal.limit)
    end
    (0...n - 1).each do |step|
      pivot = (step...n).max_by { |row| a[order[row] * n + step].abs * scales[order[row]] }
      raise "Singular matrix" if a[order[pivot] * n + step] == zero
      order[step], order[pivot] = order[pivot], order[step]
      top = order[step] * n
      (step + 1...n).each do |row|
        at = order[row] * n
        factor = a[at + step].quo(a[top + step])
        a[at + step] = factor
        (step + 1...n).each { |column| a[at + column] -= a[top + column].mult(factor, 0) }
      end
    end
    raise "Singular matrix" if a[order[n - 1] * n + n - 1] == zero
    order
  end

  # The solution for the right side b, with what ludecomp made and gave.
  def lusolve(a, b, ps, zero = 0.0)
    n = ps.size
    x = Array.new(n) { zero }
    (0...n).each do |row|
      x[row] = b[ps[row]] - (0...row).inject(zero) { |sum, column| sum + a[ps[row] * n + column] * x[column] }
    end
    (n - 1).downto(0) do |row|
      known = (row + 1...n).inject(zero) { |sum, column| sum + a[ps[row] * n + column] * x[column] }
      x[row] = (x[row] - known).quo(a[ps[row] * n + row])
    end
    x
  end
end

module Jacobian
  module_function

  # Whether both are zero, or nearly the same.
  def isEqual(a, b, zero = 0.0, e = 1.0e-8)
    size = a.abs
    return b.abs <= e if size == zero
    ((a - b) / size).abs <= e
  end

  # The derivatives by the i-th variable.
  def dfdxi(f, fx, x, i)
    n = x.size
    before = x[i]
    step = before.abs / f.ten
    step = f.one / f.ten if step == f.zero
    last = nil
    20.times do
      x[i] = before + step
      moved = f.values(x)
      found = Array.new(n) { |row| (moved[row] - fx[row]) / step }
      x[i] = before
      return found if last && n.times.all? { |row| isEqual(last[row], found[row], f.zero, f.eps) }
      last = found
      step /= f.ten
    end
    raise "Derivative did not converge"
  end

  # All derivatives, row by row.
  def jacobian(f, fx, x)
    n = x.size
    columns = Array.new(n) { |i| dfdxi(f, fx, x, i) }
    Array.new(n * n) { |at| columns[at % n][at / n] }
  end
end

module Newton
  include LUSolve
  include Jacobian

  module_function

  def norm(fv, zero = 0.0)
    fv.inject(zero) { |sum, value| sum + value * value }
  end

  # Solves f.values(x) = 0 beginning at x, in its place; gives how many steps that took.
  def nlsolve(f, x)
    steps = 0
    values = f.values(x)
    size = norm(values, f.zero)
    ratio = f.one / (f.two * f.two)
    while size > f.eps
      a = Jacobian.jacobian(f, values, x)
      move = LUSolve.lusolve(a, values, LUSolve.ludecomp(a, x.size, f.zero, f.one), f.zero)
      part = f.one
      start = x.dup
      loop do
        x.each_index { |at| x[at] = start[at] - move[at] * part }
        values = f.values(x)
        now = norm(values, f.zero)
        steps += 1
        if now < size
          size = now
          break
        end
        part *= ratio
        raise "Too many iterations" if steps > 200
      end
    end
    steps
  end
end
