# Classes beyond JSON's own that describe themselves in a document; `json/add/NAME` installs one of them.
module JSON
  # Gives a class `as_json`, `to_json` and `json_create`. `describe` makes the Hash's contents of an object, `create` the object of a Hash.
  module Addition
    def self.define(target, describe, create)
      target.define_method(:as_json) { |*| { JSON.create_id => self.class.name }.merge(describe.call(self)) }
      target.define_method(:to_json) { |*args| as_json.to_json(*args) }
      target.define_singleton_method(:json_create) { |object| create.call(self, object) }
    end

    TABLE = {
      "symbol" => -> { define(Symbol, ->(it) { { "s" => it.name } }, ->(_, object) { object["s"].to_sym }) },
      "range" => -> { define(Range, ->(it) { { "a" => [it.begin, it.end, it.exclude_end?] } }, ->(type, object) { type.new(*object["a"]) }) },
      "regexp" => -> { define(Regexp, ->(it) { { "o" => it.options, "s" => it.source } }, ->(type, object) { type.new(object["s"], object["o"]) }) },
      "rational" => -> { define(Rational, ->(it) { { "n" => it.numerator, "d" => it.denominator } }, ->(_, object) { Rational(object["n"], object["d"]) }) },
      "complex" => -> { define(Complex, ->(it) { { "r" => it.real, "i" => it.imag } }, ->(_, object) { Complex(object["r"], object["i"]) }) },
      "time" => -> { define(Time, ->(it) { { "s" => it.tv_sec, "n" => it.tv_nsec } }, ->(type, object) { type.at(object["s"], Rational(object["n"] || object["u"].to_i * 1000, 1000)) }) },
      "exception" => -> { define(Exception, ->(it) { { "m" => it.message, "b" => it.backtrace } }, ->(type, object) { type.new(object["m"]).tap { |made| made.set_backtrace(object["b"]) } }) },
      "struct" => lambda do
        define(Struct, lambda do |it|
          it.class.name.to_s.empty? and raise JSON::JSONError, "Only named structs are supported!"
          { "v" => it.values }
        end, ->(type, object) { type.new(*object["v"]) })
      end,
      "ostruct" => lambda do
        require "ostruct"
        define(OpenStruct, lambda do |it|
          it.class.name.to_s.empty? and raise JSON::JSONError, "Only named structs are supported!"
          { "t" => it.to_h }
        end, ->(type, object) { type.new(object["t"] || object[:t]) })
      end,
      "set" => lambda do
        require "set"
        define(Set, ->(it) { { "a" => it.to_a } }, ->(type, object) { type.new(object["a"]) })
      end,
      "bigdecimal" => lambda do
        require "bigdecimal"
        define(BigDecimal, ->(it) { { "b" => it._dump } }, ->(type, object) { type._load(object["b"]) })
      end,
      "date" => lambda do
        require "date"
        define(Date, ->(it) { { "y" => it.year, "m" => it.month, "d" => it.day, "sg" => it.start } }, ->(type, object) { type.civil(*object.values_at("y", "m", "d", "sg")) })
      end,
      "date_time" => lambda do
        require "date"
        define(DateTime, lambda do |it|
          { "y" => it.year, "m" => it.month, "d" => it.day, "H" => it.hour, "M" => it.min, "S" => it.sec, "of" => it.offset.to_s, "sg" => it.start }
        end, lambda do |type, object|
          offset = Rational(*object["of"].split("/").map(&:to_i))
          type.civil(*object.values_at("y", "m", "d", "H", "M", "S"), offset, object["sg"])
        end)
      end
    }.freeze

    def self.install(*names)
      @loaded ||= {}
      names.each { |name| TABLE.fetch(name).call unless @loaded.key?(name) || !(@loaded[name] = true) }
    end
  end
end
