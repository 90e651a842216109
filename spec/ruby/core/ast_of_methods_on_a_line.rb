# More than one method may stand on a line: each has its own node.
class Row
  def first; end; def second(one) = one; def self.third; :third; end
end
def place(method)
  node = RubyVM::AbstractSyntaxTree.of(method)
  [node.type, node.first_lineno, node.first_column, node.last_column]
end
p place(Row.instance_method(:first)), place(Row.instance_method(:second)), place(Row.method(:third))
