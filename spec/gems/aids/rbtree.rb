# a stand-in for the C extension: a sorted hash
class RBTree
  include Enumerable
  def initialize = @h = {}
  def [](k) = @h[k]
  def []=(k, v)
    @k = nil unless @h.key?(k)
    @h[k] = v
  end
  def keys = @k ||= @h.keys.sort
  def values = keys.map { |k| @h[k] }
  def each(&b)
    return to_enum(:each) unless b
    keys.each { |k| b.call([k, @h[k]]) }
    self
  end
  def each_value(&b) = values.each(&b)
  def size = @h.size
  alias length size
  def empty? = @h.empty?
  def key?(k) = @h.key?(k)
  def delete(k)
    @k = nil
    @h.delete(k)
  end
  def clear
    @h.clear
    @k = nil
    self
  end
  def pair(k) = k && [k, @h[k]]
  def first(n = nil) = n ? keys.first(n).map { |k| pair(k) } : pair(keys.first)
  def last = pair(keys.last)
  def lower_bound(k) = pair(keys.bsearch { |x| x >= k })
  def upper_bound(k)
    i = keys.bsearch_index { |x| x > k } || keys.size
    i.zero? ? nil : pair(keys[i - 1])
  end
  def shift = first&.tap { |k, _| delete(k) }
  def pop = last&.tap { |k, _| delete(k) }
end
