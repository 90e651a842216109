# An object whose attributes are made by giving them values.
class OpenStruct
  VERSION = "0.5.2"
  HAS_PERFORMANCE_WARNINGS = false
  private_constant :HAS_PERFORMANCE_WARNINGS

  def initialize(hash = nil)
    @table = {}
    hash&.each_pair { |name, value| set_ostruct_member_value!(name, value) }
  end

  def initialize_clone(other, freeze: nil)
    super
    @table = @table.dup unless @table.frozen?
  end

  def initialize_dup(other)
    super
    table = @table
    @table = {}
    table.each_pair { |name, value| set_ostruct_member_value!(name, value) }
  end

  def to_h(&block) = block ? @table.to_h(&block) : @table.dup

  def each_pair
    return to_enum(:each_pair) { @table.size } unless block_given?
    @table.each_pair { |pair| yield pair }
    self
  end

  def [](name) = @table[name.to_sym]

  def []=(name, value)
    name = name.to_sym
    new_ostruct_member!(name)
    @table[name] = value
  end
  alias set_ostruct_member_value! []=
  private :set_ostruct_member_value!

  def dig(name, *names)
    begin
      name = name.to_sym
    rescue NoMethodError
      raise TypeError, "#{name} is not a symbol nor a string"
    end
    @table.dig(name, *names)
  end

  def delete_field(name)
    sym = name.to_sym
    begin
      singleton_class.remove_method(sym, "#{sym}=")
    rescue NameError
      nil
    end
    @table.delete(sym) do
      return yield if block_given?
      raise NameError.new("no field `#{sym}' in #{self}", sym)
    end
  end

  def freeze
    @table.freeze
    super
  end

  def inspect
    seen = Thread.current[:__inspect_open_struct__] ||= []
    return "#<#{self.class} ...>" if seen.include?(object_id)
    seen << object_id
    begin
      detail = @table.map { |name, value| " #{name}=#{value.inspect}" }.join(",")
      "#<#{self.class}#{detail}>"
    ensure
      seen.pop
    end
  end
  alias to_s inspect

  attr_reader :table
  alias table! table
  private :table!
  protected :table

  def ==(other) = other.is_a?(OpenStruct) && @table == other.table!
  def eql?(other) = other.is_a?(OpenStruct) && @table.eql?(other.table!)
  public :table!
  def hash = @table.hash

  def encode_with(coder)
    @table.each_pair { |name, value| coder[name.to_s] = value }
    coder["table"] = { table: @table[:table] } if @table.size == 1 && @table.key?(:table)
  end

  def init_with(coder)
    members = coder.map
    members = members["table"] if members.size == 1 && members.key?("table") && members["table"].is_a?(Hash)
    @table = {}
    members.each_pair { |name, value| self[name] = value }
  end

  def marshal_dump = @table
  def marshal_load(table) = (@table = {}; table.each_pair { |name, value| self[name] = value })

  private

  # A member gets methods of its own, unless the class has one of that name that was not from Object.
  def new_ostruct_member!(name)
    return if @table.key?(name) || own_method?(name)
    define_singleton_method(name) { @table[name] }
    define_singleton_method("#{name}=") { |value| @table[name] = value }
  end

  def own_method?(name)
    return true if name.end_with?("!")
    return false unless respond_to?(name, true) && !singleton_class.method_defined?(name, false)
    owner = method!(name).owner
    owner.class == Class ? owner < OpenStruct || owner == OpenStruct && %i[table! instance_eval].include?(name) : self.class.ancestors.take_while { |mod| mod != OpenStruct }.include?(owner)
  rescue NameError
    false
  end

  def method_missing(name, *args)
    if name.end_with?("=") && name != :==
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 1)", caller(1) if args.size != 1
      set_ostruct_member_value!(name.to_s.chomp("=").to_sym, args[0])
    elsif args.empty?
      @table.fetch(name) { nil }
    else
      begin
        super
      rescue NoMethodError => e
        e.backtrace.shift
        raise
      end
    end
  end

  instance_methods.each { |name| alias_method("#{name}!", name) if name.match?(/\A\w+\z/) && !name.match?(/table\z/) }
end
