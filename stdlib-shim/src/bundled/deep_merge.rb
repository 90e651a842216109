# Merging nested Hashes and Arrays, in the manner of the gem deep_merge.
module DeepMerge
  class InvalidParameter < StandardError
  end
  DEFAULT_FIELD_KNOCKOUT_PREFIX = "--"

  def self.deep_merge!(source, dest, options = {})
    options = { preserve_unmergeables: false, merge_hash_arrays: false, extend_existing_arrays: false }.merge(options)
    knockout = options[:knockout_prefix]
    raise InvalidParameter, "knockout_prefix cannot be an empty string in deep_merge!" if knockout == ""
    raise InvalidParameter, "overwrite_unmergeable must be true if knockout_prefix is specified in deep_merge!" if knockout && options[:preserve_unmergeables]
    merge(source, dest, options)
  end

  def self.merge(source, dest, options)
    return dest if source.nil? && !options[:merge_nil_values]
    case source
    when Hash then merge_hash(source, dest, options)
    when Array then merge_array(source, dest, options)
    else
      return [*dest, source] if options[:extend_existing_arrays] && dest.is_a?(Array)
      knocked?(source, options) || dest.nil? || !options[:preserve_unmergeables] ? (knocked?(source, options) ? "" : source) : dest
    end
  end

  def self.merge_hash(source, dest, options)
    return (dest.nil? || !options[:preserve_unmergeables] ? copy(source) : dest) unless dest.is_a?(Hash)
    source.each do |key, value|
      dest[key] = dest.key?(key) ? merge(value, dest[key], options) : merge(value, value.is_a?(Hash) ? {} : value.is_a?(Array) ? [] : nil, options)
    end
    dest
  end

  def self.merge_array(source, dest, options)
    unless dest.is_a?(Array)
      return options[:preserve_unmergeables] && !dest.nil? ? dest : copy(source) unless options[:extend_existing_arrays] && !dest.nil?
      dest = [dest]
    end
    source = copy(source)
    if (prefix = options[:knockout_prefix])
      return dest.clear.concat(source - [prefix]) if source.include?(prefix)
      removed, source = source.partition { |item| knocked?(item, options) }
      dest.reject! { |item| removed.include?("#{prefix}#{item}") }
    end
    if options[:merge_hash_arrays] && (source + dest).all?(Hash)
      list = source.each_index.map { |index| merge(source[index], dest[index] || {}, options) }
      dest.replace(list + (dest[list.size..] || []))
    elsif options[:keep_array_duplicates]
      dest.concat(source)
    else
      dest.replace(dest | source)
    end
    dest.sort! if options[:sort_merged_arrays]
    dest
  end

  def self.knocked?(item, options) = options[:knockout_prefix] && item.is_a?(String) && item.start_with?(options[:knockout_prefix])

  def self.copy(value)
    case value
    when Hash then value.transform_values { |item| copy(item) }
    when Array then value.map { |item| copy(item) }
    else value
    end
  end

  module DeepMergeHash
    def ko_deep_merge!(source, options = {}) = DeepMerge.deep_merge!(source, self, { knockout_prefix: DEFAULT_FIELD_KNOCKOUT_PREFIX }.merge(options))
    def deep_merge!(source, options = {}) = DeepMerge.deep_merge!(source, self, { preserve_unmergeables: false }.merge(options))
    def deep_merge(source, options = {}) = DeepMerge.copy(self).deep_merge!(source, options)
  end
end

class Hash
  include DeepMerge::DeepMergeHash
end
