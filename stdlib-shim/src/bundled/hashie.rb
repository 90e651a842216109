# A Hash whose keys are Strings and read as methods, in the manner of the gem hashie.
module Hashie
  class Hash < ::Hash
    def to_hash = each_with_object({}) { |(key, value), result| result[key] = Hashie.plain(value) }
    def to_json(*args) = to_hash.to_json(*args)
  end

  def self.plain(value)
    case value
    when ::Hash then value.each_with_object({}) { |(key, item), result| result[key] = plain(item) }
    when ::Array then value.map { |item| plain(item) }
    else value
    end
  end

  class Mash < Hash
    def self.load(path, **) = new(path.end_with?(".json") ? require("json") && nil || JSON.parse(File.read(path)) : require("yaml") && nil || YAML.safe_load(File.read(path), permitted_classes: [Symbol], aliases: true)).freeze

    def initialize(source = nil, default = nil, &block)
      deep_update(source) if source
      default ? super(default) : super(&block)
    end

    alias regular_reader []
    alias regular_writer []=

    def [](key) = regular_reader(convert_key(key))
    def []=(key, value)
      regular_writer(convert_key(key), convert_value(value))
    end
    alias store []=

    def key?(key) = super(convert_key(key))
    alias has_key? key?
    alias include? key?
    alias member? key?
    def fetch(key, *args, &block) = super(convert_key(key), *args, &block)
    def delete(key) = super(convert_key(key))
    def values_at(*keys) = super(*keys.map { |key| convert_key(key) })
    def dig(key, *rest) = super(convert_key(key), *rest)
    def dup = self.class.new(self, default, &default_proc)

    def deep_update(*others, &block)
      others.each do |other|
        other.each_pair do |key, value|
          key = convert_key(key)
          held = regular_reader(key)
          if held.is_a?(Mash) && value.is_a?(::Hash)
            held.deep_update(value, &block)
          else
            value = block.call(key, held, value) if block && key?(key)
            regular_writer(key, convert_value(value))
          end
        end
      end
      self
    end
    alias deep_merge! deep_update
    alias update deep_update
    alias merge! deep_update
    def deep_merge(*others, &block) = dup.deep_update(*others, &block)
    alias merge deep_merge
    def replace(other) = (clear; deep_update(other))
    def shallow_update(other) = (other.each_pair { |key, value| regular_writer(convert_key(key), value) }; self)
    def shallow_merge(other) = dup.shallow_update(other)
    def slice(*keys) = self.class.new(keys.map { |key| convert_key(key) }.select { |key| key?(key) }.to_h { |key| [key, self[key]] })
    def to_module(name = :settings) = (mash = self; Module.new { define_method(name) { mash } })
    def respond_to_missing?(name, *args) = key?(name) || %w[? = ! _].include?(name[-1]) || super

    def method_missing(name, *args, &block)
      return self.[](name, &block) if key?(name)
      base = name.to_s.chop
      case name[-1]
      when "=" then self[base] = args.first
      when "?" then !!self[base]
      when "!" then self[base] ||= self.class.new
      when "_" then self[base] || self.class.new
      else self[name]
      end
    end

    protected

    def convert_key(key) = key.respond_to?(:to_sym) ? key.to_s : key

    def convert_value(value)
      case value
      when Mash then value
      when ::Hash then self.class.new(value)
      when ::Array then value.map { |item| convert_value(item) }
      else value
      end
    end
  end
end
