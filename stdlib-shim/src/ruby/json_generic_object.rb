require "json"
require "ostruct"

module JSON
  # An object with the members of a document.
  class GenericObject < OpenStruct
    class << self
      alias [] new

      def json_creatable? = @json_creatable || false
      attr_writer :json_creatable

      def json_create(data)
        data = data.dup
        data.delete(JSON.create_id)
        self[data]
      end

      # What a document holds, with objects at every depth.
      def from_hash(object)
        case
        when object.respond_to?(:to_hash)
          object.to_hash.each_with_object(new) { |(name, value), made| made[name] = from_hash(value) }
        when object.respond_to?(:to_ary) then object.to_ary.map { |item| from_hash(item) }
        else object
        end
      end

      def load(source, proc = nil, opts = {})
        result = ::JSON.load(source, proc, opts.merge(object_class: self))
        result.nil? ? new : result
      end

      def dump(object, *args) = ::JSON.dump(object, *args)
    end
    self.json_creatable = false

    def to_hash = table.dup
    def [](name) = super(name.to_sym)
    def []=(name, value)
      super(name.to_sym, value)
    end
    def |(other) = self.class[other.to_hash.merge(to_hash)]
    def as_json(*) = { JSON.create_id => self.class.name }.merge(to_hash)
    def to_json(*arguments) = as_json.to_json(*arguments)
  end
end
