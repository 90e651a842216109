class Chef
  class ResourceCollection
    # Iterates over a list that may grow or be paused during the iteration.
    class StepableIterator
      def self.for_collection(collection) = new(collection)

      attr_accessor :collection
      attr_reader :position

      def initialize(collection = []) = (@collection, @position, @paused = collection, 0, false)
      def size = collection.size
      def each(&block) = start(:element, block)
      def each_index(&block) = start(:index, block)
      def each_with_index(&block) = start(:element_with_index, block)
      def paused? = @paused
      def pause = @paused = true
      def rewind = @position = 0
      def skip_back(count = 1) = @position -= count
      def skip_forward(count = 1) = @position += count

      def resume
        @paused = false
        iterate
      end

      def step
        return nil if @position == size
        case @iterator_type
        when :element then @iterator_block.call(collection[@position])
        when :index then @iterator_block.call(@position)
        when :element_with_index then @iterator_block.call(collection[@position], @position)
        else raise "what to iterate on was not said"
        end
        @position += 1
      end

      def iterate_on(type, &block) = (@iterator_type, @iterator_block = type, block)

      private

      def start(type, block)
        iterate_on(type, &block)
        @position, @paused = 0, false
        iterate
      end

      def iterate
        step while @position < size && !paused?
        collection
      end
    end

    module ResourceCollectionSerialization
      def self.included(into) = into.extend(ClassMethods)

      module ClassMethods
        def json_create(hash) = from_hash(hash)
      end

      def to_h = { "json_class" => self.class.name, "instance_vars" => instance_variables.to_h { |name| [name, instance_variable_get(name)] } }
      alias to_hash to_h
      def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)

      def is_chef_resource!(value)
        return true if value.is_a?(Chef::Resource)
        raise ArgumentError, "Cannot insert a #{value.class} into a resource collection: must be a subclass of Chef::Resource"
      end

      private

      def key_of(resource, what)
        return resource.to_s if resource.is_a?(String) || resource.is_a?(Chef::Resource)
        raise ArgumentError, "Must pass a Chef::Resource or String to #{what}"
      end

      def not_found(key) = raise(Chef::Exceptions::ResourceNotFound, "Cannot find a resource matching #{key} (did you define it first?)")
    end

    # Resources in order of declaration.
    class ResourceList
      include ResourceCollectionSerialization
      include Enumerable

      def self.from_hash(hash)
        new.tap { |made| made.instance_variable_set(:@resources, hash["instance_vars"]["@resources"].map { |each| Chef::Resource.from_hash(each) }) }
      end

      attr_reader :iterator

      def initialize = (@resources, @insert_after_idx = [], nil)
      def all_resources = @resources
      def [](index) = @resources[index]
      def []=(index, resource)
        @resources[index] = resource
      end
      def each(&block) = @resources.each(&block)
      def each_index(&block) = @resources.each_index(&block)
      def empty? = @resources.empty?

      def insert(resource)
        is_chef_resource!(resource)
        @insert_after_idx ? @resources.insert(@insert_after_idx += 1, resource) : @resources << resource
      end

      def delete(resource)
        key = key_of(resource, "delete")
        @resources.reject! { |each| each.to_s == key } || not_found(key)
      end

      def execute_each_resource
        @iterator = StepableIterator.for_collection(@resources)
        @iterator.each_with_index do |resource, index|
          @insert_after_idx = index
          yield resource
        end
      end
    end

    # Resources by `type[name]`; the last one wins.
    class ResourceSet
      include ResourceCollectionSerialization

      MULTIPLE_RESOURCE_MATCH = /^(.+)\[(.+?),(.+)\]$/.freeze
      SINGLE_RESOURCE_MATCH = /^(.+)\[(.*)\]$/.freeze
      NAMELESS_RESOURCE_MATCH = /^([^\[\]\s]+)$/.freeze

      def self.from_hash(hash)
        new.tap { |made| made.instance_variable_set(:@resources_by_key, hash["instance_vars"]["@resources_by_key"].transform_values { |each| Chef::Resource.from_hash(each) }) }
      end

      def initialize = @resources_by_key = {}
      def keys = @resources_by_key.keys

      def insert_as(resource, type = nil, name = nil)
        is_chef_resource!(resource)
        @resources_by_key["#{type || resource.resource_name}[#{name || resource.name}]"] = resource
      end

      def lookup(resource)
        key = key_of(resource, "lookup")
        @resources_by_key[key] || not_found(key)
      end

      def delete(resource)
        key = key_of(resource, "delete")
        @resources_by_key.delete(key) || not_found(key)
      end

      def find(*specs)
        found = specs.flat_map do |spec|
          case spec
          when Hash then spec.flat_map { |type, names| Array(names).map { |name| lookup("#{type}[#{name}]") } }
          when String then find_text(spec)
          else raise Chef::Exceptions::InvalidResourceSpecification, "arguments to #{self.class.name}#find should be of the form :resource => 'name' or 'resource[name]'"
          end
        end
        found.size == 1 ? found.first : found
      end
      alias resources find

      def validate_lookup_spec!(spec) = ResourceCollection.send(:check_lookup_spec, spec)

      private

      # `keys_of` parses the text: it gives a resource's key, and the keys of several resources if the text may name several.
      def find_text(text)
        key, several = ResourceCollection.send(:keys_of, text)
        raise ArgumentError, "Bad string format #{text}, you must have a string like resource_type[name]!" if key.nil?
        return [lookup(key)] if several.nil? || @resources_by_key.key?(key)
        found = several.map { |each| @resources_by_key[each] || not_found(key) }
        Chef.deprecated(:multiresource_match, "The resource_collection multi-resource syntax is deprecated")
        found
      end
    end
  end
end
