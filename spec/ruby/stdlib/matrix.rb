# Matrices and vectors: what is made, asked and computed, with receivers and arguments that fit and that do not.
require "matrix"

def try(label)
  result = yield
  puts "#{label}: #{(result.is_a?(Enumerator) ? result.to_a : result).inspect}"
rescue StandardError => error
  puts "#{label}: #{error.class}#{": #{error.message.lines.first.chomp}" unless error.is_a?(NameError)}"
end

random = Random.new(42)
squares = [Matrix[[1, 2], [3, 4]], Matrix[[2, 1], [1, 2]], Matrix[[0, 1], [-1, 0]], Matrix[[1, 2, 3], [4, 5, 6], [7, 8, 10]], Matrix.I(3), Matrix.zero(2)]
(2..6).each do |size|
  squares << Matrix.build(size) { random.rand(-9..9) } << Matrix.build(size) { |row, column| row > column ? random.rand(3) : 0 }
  whole = Matrix.build(size) { random.rand(-5..5) }
  squares << whole + whole.t
end
squares.each_with_index do |matrix, at|
  try("#{at} eigenvalues") { matrix.eigen.eigenvalues.map { |value| value.abs.round(6) } }
  try("#{at} symmetric") { matrix.eigen.to_a.inject(:*).round(6).map { |value| value + 0 } == matrix } if matrix.symmetric?
  try("#{at} lup") { [matrix.lup.to_a, matrix.lup.pivots, matrix.lup.det, matrix.lup.singular?] }
  try("#{at} solve") { matrix.lup.solve(Vector.elements((1..matrix.row_count).to_a)) }
  try("#{at} solve for two") { matrix.lup.solve(Matrix.build(matrix.row_count, 2) { |row, column| row + column }) }
  try("#{at}") { [matrix.det, matrix.rank, matrix.trace, matrix.regular?] }
  try("#{at} inverse") { matrix.inverse }
  try("#{at} powers") { [matrix**3, matrix**-2, matrix**0] }
end

class Pair
  def to_ary = [1, 2]
  def to_matrix = Matrix[[1, 2], [3, 4]]
  def to_int = 1
  def coerce(other) = [other, 2]
  def inspect = "Pair"
end
matrices = [Matrix[[1, 2, 3], [4, 5, 6]], Matrix[[1, 2], [3, 4]], Matrix[[1.5, 2r], [Complex(1, 2), 4]], Matrix.empty(0, 3), Matrix[["a", "b"]]]
vectors = [Vector[1, 2], Vector[3, 4, 5], Vector[], Vector[Complex(1, 1), 2]]
arguments = [0, 1, -1, 1.5, nil, :lower, :diagonal, :half_turn, [1, 2], 0..1, 5..6, Pair.new, matrices[1], vectors[0]]
numeric = %i(** coerce abs round conj conjugate eigen eigensystem lup lup_decomposition determinant_e det_e rank_e elements_to_f elements_to_i elements_to_r freeze hash)
(Matrix.public_instance_methods(false) - numeric).sort.each do |name|
  matrices.each_with_index do |matrix, at|
    try("#{name} #{at}") { matrix.dup.public_send(name) }
    arguments.each { |argument| try("#{name} #{at} #{argument.inspect}") { matrix.dup.public_send(name, argument) } } unless [0, -1].include?(matrix.method(name).arity)
  end
end
%i([] minor first_minor cofactor).each { |name| matrices.first(4).each_with_index { |matrix, at| arguments.values_at(0, 1, 2, 9, 10).repeated_permutation(2) { |pair| try("#{name} #{at} #{pair}") { matrix.public_send(name, *pair) } } } }
[0, -1, 5, 0..1, 1.., -2..-1, :x].repeated_permutation(2) do |pair|
  [9, Vector[7, 8], Matrix[[7, 8]], Matrix[[7], [8]], Matrix[[1, 2], [3, 4]]].each do |value|
    try("set #{pair} #{value}") { matrices[0].dup.tap { |matrix| matrix[*pair] = value } }
  end
end
%i(all lower upper strict_lower strict_upper diagonal off_diagonal other).each do |which|
  %i(each each_with_index collect index).each { |name| matrices.first(4).each { |matrix| seen = []; try("#{name} #{which}") { [matrix.public_send(name, which) { |*args| seen << args; nil }, seen] } } }
end
[{ row: 0 }, { column: 0 }, { row: 5 }, { row: 0, column: 0 }, {}].each { |given| try("laplace #{given}") { matrices[1].laplace_expansion(**given) } }
(Matrix.singleton_methods(false) - %i(allocate)).sort.each { |name| arguments.each { |argument| try("Matrix.#{name} #{argument.inspect}") { Matrix.public_send(name, argument) } } }

(Vector.public_instance_methods(false) - numeric).sort.each do |name|
  vectors.each_with_index do |vector, at|
    try("vector #{name} #{at}") { vector.dup.public_send(name) }
    arguments.each { |argument| try("vector #{name} #{at} #{argument.inspect}") { vector.dup.public_send(name, argument) } } unless vector.method(name).arity == 0
  end
end
arguments.each { |argument| [9, Vector[1, 2], Matrix[[1, 2]], Matrix[[1], [2]]].each { |value| try("set #{argument.inspect}") { vectors[1].dup.tap { |vector| vector[argument] = value } } } }
[[2, 0], [2, 2], [0, 0]].each { |size, index| try("basis") { Vector.basis(size: size, index: index) } }
[2, 2.5, 1r].each { |number| %i(+ - * / **).each { |operator| (matrices.first(2) + vectors).each { |other| try("#{number} #{operator} #{other}") { number.public_send(operator, other) } } } }
try("frozen") { matrices[0].dup.freeze[0, 0] = 1 }
try("others") { [Vector[1, 0, 0].cross(Vector[0, 1, 0]), Vector[1, 2, 3, 4].cross(Vector[0, 1, 0, 2], Vector[1, 0, 1, 1]), Vector[3, 4].norm, Vector[1, 0].angle_with(Vector[0, 1]), Vector.independent?(Vector[1, 2], Vector[2, 4])] }
class Derived < Matrix; end
try("derived") { [Derived[[1, 2], [3, 4]].t, Derived[[1, 2], [3, 4]] * 2, Derived[[1, 2], [3, 4]].inverse].map(&:class) }
