# `to_json` of each of the core classes, as modules.
module JSON::Ext::Generator::GeneratorMethods
  %i[Object Hash Array String Integer Float TrueClass FalseClass NilClass].each do |name|
    of = ::Object.const_get(name).instance_method(:to_json)
    const_set(name, Module.new { define_method(:to_json) { |*arguments| of.bind_call(self, *arguments) } })
  end

  module String
    def to_json_raw_object = { JSON.create_id => self.class.name, "raw" => unpack("C*") }
    def to_json_raw(*arguments) = to_json_raw_object.to_json(*arguments)

    module Extend
      def json_create(object) = object["raw"].pack("C*")
    end
    def self.included(base)
      base.extend(Extend)
    end
  end
end
