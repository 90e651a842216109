# Sorting what depends on each other: strongly connected components, children first (Tarjan).
module TSort
  class Cyclic < StandardError
  end

  def tsort = TSort.tsort(method(:tsort_each_node), method(:tsort_each_child))
  def tsort_each(&block) = TSort.tsort_each(method(:tsort_each_node), method(:tsort_each_child), &block)
  def strongly_connected_components = TSort.strongly_connected_components(method(:tsort_each_node), method(:tsort_each_child))
  def each_strongly_connected_component(&block) = TSort.each_strongly_connected_component(method(:tsort_each_node), method(:tsort_each_child), &block)

  def each_strongly_connected_component_from(node, ids = {}, stack = [], &block)
    TSort.each_strongly_connected_component_from(node, method(:tsort_each_child), ids, stack, &block)
  end

  def tsort_each_node = raise(NotImplementedError.new)
  def tsort_each_child(_node) = raise(NotImplementedError.new)

  class << self
    def tsort(each_node, each_child) = tsort_each(each_node, each_child).to_a

    def tsort_each(each_node, each_child)
      return to_enum(__method__, each_node, each_child) unless block_given?
      each_strongly_connected_component(each_node, each_child) do |component|
        raise Cyclic, "topological sort failed: #{component.inspect}" if component.size > 1
        yield component.first
      end
    end

    def strongly_connected_components(each_node, each_child) = each_strongly_connected_component(each_node, each_child).to_a

    def each_strongly_connected_component(each_node, each_child, &block)
      return to_enum(__method__, each_node, each_child) unless block
      ids = {}
      stack = []
      each_node.call do |node|
        each_strongly_connected_component_from(node, each_child, ids, stack, &block) unless ids.include?(node)
      end
      nil
    end

    def each_strongly_connected_component_from(node, each_child, ids = {}, stack = [], &block)
      return to_enum(__method__, node, each_child, ids, stack) unless block
      lowest = number = ids[node] = ids.size
      depth = stack.size
      stack << node
      each_child.call(node) do |child|
        if ids.include?(child)
          seen = ids[child]
          lowest = seen if seen && seen < lowest
        else
          reached = each_strongly_connected_component_from(child, each_child, ids, stack, &block)
          lowest = reached if reached < lowest
        end
      end
      if number == lowest
        component = stack.slice!(depth..)
        component.each { |member| ids[member] = nil }
        yield component
      end
      lowest
    end
  end
end
