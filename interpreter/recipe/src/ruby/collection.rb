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

      def to_h = { "json_class" => self.class.name, "instance_vars" => for_json }
      alias to_hash to_h
      def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)

      def is_chef_resource!(value)
        return true if value.is_a?(Chef::Resource)
        raise ArgumentError, "Cannot insert a #{value.class} into a resource collection: must be a subclass of Chef::Resource"
      end
    end

    # Resources in order of declaration. What it keeps is native.
    class ResourceList
      include ResourceCollectionSerialization
      include Enumerable

      def self.from_hash(hash)
        new.tap { |made| hash["instance_vars"]["@resources"].each { |each| made.insert(Chef::Resource.from_hash(each)) } }
      end

      attr_reader :iterator

      def for_json = { "@resources" => all_resources }

      def execute_each_resource
        @iterator = StepableIterator.for_collection(self)
        @iterator.each_with_index do |resource, index|
          self.insert_after = index
          yield resource
        end
      end
    end

    # Resources by `type[name]`; the last one wins. What it keeps is native.
    class ResourceSet
      include ResourceCollectionSerialization

      MULTIPLE_RESOURCE_MATCH = /^(.+)\[(.+?),(.+)\]$/.freeze
      SINGLE_RESOURCE_MATCH = /^(.+)\[(.*)\]$/.freeze
      NAMELESS_RESOURCE_MATCH = /^([^\[\]\s]+)$/.freeze

      def self.from_hash(hash)
        new.tap do |made|
          hash["instance_vars"]["@resources_by_key"].each do |key, each|
            made.insert_as(Chef::Resource.from_hash(each), *key.match(SINGLE_RESOURCE_MATCH).captures)
          end
        end
      end

      def for_json = { "@resources_by_key" => keys.to_h { |key| [key, lookup(key)] } }
    end
  end
end
