# What of json is Ruby: names of classes in documents.
module JSON
  @create_id = "json_class"
  class << self
    attr_accessor :create_id

    # The class or module of a name that a document has under `create_id`.
    def deep_const_get(path)
      path = path.to_s
      path.sub(/\A::/, "").split("::").inject(Object) do |scope, name|
        raise NameError, "wrong constant name #{path}" unless name.match?(/\A[[:upper:]]\w*\z/)
        scope.const_get(name)
      end
    rescue NameError => error
      raise if error.message.start_with?("wrong constant name")
      raise ArgumentError, "can't get const #{path}: #{error.message.lines.first.chomp}"
    end
  end
end

module JSON
  module Ext
    # Reads one text, with the options of `JSON.parse`.
    class Parser
      attr_reader :source

      def self.parse(source, options = nil) = new(source, options || {}).parse

      def initialize(source, options = {})
        @source = String.try_convert(source) || raise(TypeError, "no implicit conversion of #{source.nil? ? "nil" : source.class} into String")
        @options = options
      end

      def parse = JSON.parse(@source, @options)
    end
  end
  Parser = Ext::Parser
end

class Class
  def json_creatable? = respond_to?(:json_create)
end

class String
  def to_json_raw_object = { JSON.create_id => self.class.name, "raw" => unpack("C*") }
  def to_json_raw(*args) = to_json_raw_object.to_json(*args)
  def self.json_create(object) = object["raw"].pack("C*")
end
