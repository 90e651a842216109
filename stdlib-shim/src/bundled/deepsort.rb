# Sorting what is nested: every Array and Hash in a value.
module DeepSort
  module_function

  def sort_pairs(pairs, options)
    return pairs if options[:hash] == false
    pairs.sort_by { |key, _| key }
  rescue ArgumentError, NoMethodError
    pairs.sort_by { |key, _| key.to_s }
  end

  def deep(value, options)
    case value
    when Array
      items = value.map { |item| deep(item, options) }
      options[:array] == false ? items : (items.sort rescue items.sort_by(&:to_s))
    when Hash
      pairs = value.map { |key, item| [deep(key, options), deep(item, options)] }
      sort_pairs(pairs, options).to_h
    else value
    end
  end
end

class Array
  def deep_sort(options = {}) = DeepSort.deep(self, options)
  def deep_sort!(options = {}) = replace(deep_sort(options))
  def deep_sort_by!(options = {}, &block) = replace(deep_sort_by(options, &block))
  def deep_sort_by(options = {}, &block) = (items = map { |item| item.respond_to?(:deep_sort_by) ? item.deep_sort_by(options, &block) : item }; options[:array] == false ? items : items.sort_by(&block))
end

class Hash
  def deep_sort(options = {}) = DeepSort.deep(self, options)
  def deep_sort!(options = {}) = replace(deep_sort(options))
  def deep_sort_by!(options = {}, &block) = replace(deep_sort_by(options, &block))
  def deep_sort_by(options = {}, &block) = (pairs = map { |key, item| [key, item.respond_to?(:deep_sort_by) ? item.deep_sort_by(options, &block) : item] }; (options[:hash] == false ? pairs : pairs.sort_by(&block)).to_h)
end

# The same for any object: what has no parts to sort is sorted as it can be, or itself.
def deep_sort(object, options = {})
  return object.deep_sort(options) if object.respond_to?(:deep_sort)
  object.respond_to?(:sort) ? object.sort : object
end

def deep_sort!(object, options = {})
  return object.deep_sort!(options) if object.respond_to?(:deep_sort!)
  object.respond_to?(:sort!) ? object.sort! : object
end
