# Sizes of objects in bytes, as MRI's take them on a machine of 64 bits.
module ObjectSpace
  CELL = 40
  private_constant :CELL

  def memsize_of(object)
    case object
    when nil, true, false, Symbol, Float then 0
    when Integer
      bits = object.bit_length
      return 0 if bits < 63

      bits <= 192 ? CELL : CELL + (bits + 31) / 32 * 4
    when String then object.bytesize < 24 ? CELL : CELL + object.bytesize + 1
    when Array, Struct then CELL + (object.size > 3 ? 8 * object.size : 0)
    when Hash then CELL + table_size(object.size)
    else
      variables = Kernel.instance_method(:instance_variables).bind_call(object).size
      CELL + (variables > 3 ? 8 * (variables + 1) : 0)
    end
  end

  # Where an object was made is known of none, for no allocations are traced.
  %i[class_path generation method_id sourcefile sourceline].each { |fact| define_singleton_method(:"allocation_#{fact}") { |_object| nil } }

  # A table of a few pairs, or one with buckets.
  def table_size(pairs)
    return pairs.zero? ? 0 : 128 if pairs <= 8

    entries = [32, 1 << (pairs - 1).bit_length].max
    56 + 26 * entries
  end
  private :table_size
  module_function :memsize_of, :table_size
  private_class_method :table_size
end
