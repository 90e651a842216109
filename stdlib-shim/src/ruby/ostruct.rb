class OpenStruct
  def initialize(hash = nil)
    @table = {}
    hash&.each_pair { |name, value| @table[name.to_sym] = value }
  end

  def initialize_dup(other)
    super
    @table = @table.dup
  end

  def [](name) = @table[name.to_sym]

  def []=(name, value)
    raise FrozenError, "can't modify frozen #{self.class}: #{inspect}" if frozen?
    @table[name.to_sym] = value
  end

  def to_h(&block) = block ? @table.to_h(&block) : @table.dup
  def dig(name, *rest) = @table.dig(name.to_sym, *rest)
  def each_pair(&block) = block ? (@table.each_pair(&block); self) : @table.each_pair
  def delete_field(name) = @table.delete(name.to_sym) { block_given? ? yield : raise(NameError.new("no field `#{name}' in #{inspect}", name)) }
  def respond_to_missing?(name, all = false) = @table.key?(name.to_s.chomp("=").to_sym) || super
  def ==(other) = other.is_a?(OpenStruct) && to_h == other.to_h
  def eql?(other) = other.is_a?(OpenStruct) && to_h.eql?(other.to_h)
  def hash = @table.hash
  def inspect = "#<#{self.class}#{@table.map { |name, value| " #{name}=#{value.inspect}" }.join(",")}>"
  alias to_s inspect

  def method_missing(name, *args)
    if name.end_with?("=")
      self[name.to_s.chomp("=")] = args[0]
    elsif args.empty?
      @table[name]
    else
      super
    end
  end
end
