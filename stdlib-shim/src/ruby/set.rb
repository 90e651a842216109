class Set
  include Enumerable

  def self.[](*items) = new(items)

  def initialize(enum = nil, &block)
    # a subclass may have set another kind of table
    @hash ||= Hash.new(false)
    return if enum.nil?
    raise ArgumentError, "value must be enumerable" unless enum.respond_to?(:each_entry) || enum.respond_to?(:each)
    enum.each { |item| add(block ? block.call(item) : item) }
    self
  end

  def initialize_dup(other)
    super
    @hash = other.instance_variable_get(:@hash).dup
  end

  def initialize_clone(other, **options)
    super
    @hash = other.instance_variable_get(:@hash).clone(**options)
  end

  def freeze
    @hash.freeze
    super
  end

  def compare_by_identity
    @hash.compare_by_identity
    self
  end

  def compare_by_identity? = @hash.compare_by_identity?
  def size = @hash.size
  alias length size
  alias count_all size
  private :count_all
  def empty? = @hash.empty?
  def clear = (@hash.clear; self)
  def to_a = @hash.keys
  def to_set(klass = Set, *args, &block) = klass == Set && args.empty? && !block && instance_of?(Set) ? self : klass.new(self, *args, &block)
  def include?(item) = @hash.key?(item)
  alias member? include?
  alias === include?

  def each(&block)
    return enum_for(:each) { size } unless block
    @hash.each_key(&block)
    self
  end

  def add(item)
    @hash[item] = true
    self
  end
  alias << add

  def add?(item) = include?(item) ? nil : add(item)

  def delete(item)
    @hash.delete(item)
    self
  end

  def delete?(item) = include?(item) ? delete(item) : nil

  def delete_if
    return enum_for(:delete_if) { size } unless block_given?
    to_a.each { |item| @hash.delete(item) if yield(item) }
    self
  end

  def keep_if
    return enum_for(:keep_if) { size } unless block_given?
    to_a.each { |item| @hash.delete(item) unless yield(item) }
    self
  end

  def reject!(&block)
    return enum_for(:reject!) { size } unless block
    before = size
    delete_if(&block)
    size == before ? nil : self
  end

  def select!(&block)
    return enum_for(:select!) { size } unless block
    before = size
    keep_if(&block)
    size == before ? nil : self
  end
  alias filter! select!

  def map!
    return enum_for(:map!) { size } unless block_given?
    replace(self.class.new(to_a.map { |item| yield item }))
  end
  alias collect! map!

  def merge(enum)
    checked(enum).each { |item| add(item) }
    self
  end

  def subtract(enum)
    checked(enum).each { |item| delete(item) }
    self
  end

  def replace(enum)
    items = checked(enum).to_a
    if enum.instance_of?(self.class)
      @hash.replace(enum.instance_variable_get(:@hash))
      return self
    end
    clear
    merge(items)
  end

  def |(enum) = dup.merge(enum)
  alias + |
  alias union |
  def -(enum) = dup.subtract(enum)
  alias difference -

  def &(enum)
    made = self.class.new
    checked(enum).each { |item| made.add(item) if include?(item) }
    made
  end
  alias intersection &

  def ^(enum)
    made = self.class.new(enum)
    each { |item| made.add(item) unless made.delete?(item) }
    made
  end

  def ==(other)
    return true if equal?(other)
    return @hash == other.instance_variable_get(:@hash) if other.instance_of?(self.class)
    other.is_a?(Set) && size == other.size && other.all? { |item| include?(item) }
  end

  def eql?(other) = other.is_a?(Set) && @hash.eql?(other.instance_variable_get(:@hash))
  def hash = @hash.hash

  def superset?(other) = set!(other) && size >= other.size && other.all? { |item| include?(item) }
  alias >= superset?
  def proper_superset?(other) = set!(other) && size > other.size && other.all? { |item| include?(item) }
  alias > proper_superset?
  def subset?(other) = set!(other) && other.size >= size && all? { |item| other.include?(item) }
  alias <= subset?
  def proper_subset?(other) = set!(other) && other.size > size && all? { |item| other.include?(item) }
  alias < proper_subset?

  def <=>(other)
    return nil unless other.is_a?(Set)
    return 0 if self == other
    return -1 if proper_subset?(other)
    return 1 if proper_superset?(other)
    nil
  end

  def intersect?(other) = checked(other).any? { |item| include?(item) }
  def disjoint?(other) = !intersect?(other)
  def first(*args) = to_a.first(*args)
  def min(*args, &block) = to_a.min(*args, &block)
  def join(separator = nil) = to_a.join(separator)

  def flatten = self.class.new.send(:flatten_merge, self)

  def flatten! = any? { |item| item.is_a?(Set) } ? replace(flatten) : nil
  # Puts members that have changed where they belong now.
  def reset
    raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
    @hash.rehash
    self
  end

  def classify(&block)
    return enum_for(:classify) { size } unless block
    to_a.group_by(&block).transform_values { |items| self.class.new(items) }
  end

  def divide(&block)
    return enum_for(:divide) { size } unless block
    return Set.new(classify(&block).values) unless block.arity == 2

    require "tsort"
    items = to_a
    near = items.to_h { |item| [item, items.select { |other| block.call(item, other) }] }
    groups = TSort.strongly_connected_components(->(&each) { near.each_key(&each) }, ->(item, &each) { near[item].each(&each) })
    Set.new(groups.map { |group| self.class.new(group) })
  end

  def inspect
    return "#<#{self.class.name}: {...}>" if (Thread.current[:__inspect_set__] ||= []).include?(object_id)
    begin
      Thread.current[:__inspect_set__] << object_id
      "#<#{self.class.name}: {#{to_a.map(&:inspect).join(", ")}}>"
    ensure
      Thread.current[:__inspect_set__].pop
    end
  end
  alias to_s inspect

  def pretty_print_cycle(printer) = printer.text("#<Set: {#{"..." unless empty?}}>")

  def flatten_merge(set, around = {}.compare_by_identity)
    around[set] = true
    set.each do |item|
      next add(item) unless item.is_a?(Set)
      raise ArgumentError, "tried to flatten recursive Set" if around[item]
      flatten_merge(item, around)
    end
    around.delete(set)
    self
  end
  protected :flatten_merge

  private

  def set!(other)
    raise ArgumentError, "value must be a set" unless other.is_a?(Set)
    true
  end

  def checked(enum)
    raise ArgumentError, "value must be enumerable" unless enum.respond_to?(:each)
    enum
  end
end

autoload :SortedSet, "set/sorted_set"

module Enumerable
  def to_set(klass = Set, *args, &block) = klass.new(self, *args, &block)
end
