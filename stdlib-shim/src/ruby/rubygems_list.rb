# A list that grows at its head; parts can be shared.
module Gem
  class List
    include Enumerable
    attr_accessor :value, :tail

    def self.prepend(list, value) = list ? list.prepend(value) : new(value)

    def initialize(value = nil, tail = nil)
      @value, @tail = value, tail
    end

    def each
      node = self
      while node
        yield node.value
        node = node.tail
      end
    end
    # The oldest first.
    def to_a = super.reverse
    def prepend(value) = List.new(value, self)
    def pretty_print(printer) = printer.pp(to_a)
  end
end
