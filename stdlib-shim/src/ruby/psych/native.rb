# What Psych's native half (`psych.so`) defines in MRI; further parts are in native_emitter.rb and native_visitors.rb. It uses nothing of the Ruby
# half, so that a gem's version of that half can be loaded after it.
module Psych
  def self.libyaml_version = [0, 2, 5]

  class Handler
  end

  class Parser
    ANY = 0
    UTF8 = 1
    UTF16LE = 2
    UTF16BE = 3

    def parse(yaml, path = yaml.respond_to?(:path) ? yaml.path : "<unknown>") = _native_parse(@handler, yaml, path)

    def mark = self.class::Mark.new(0, *(@place || [0, 0, 0, 0]).last(2))

    private

    def _native_parse(handler, yaml, path)
      Psych.__events(yaml, path) do |event, arguments, place|
        @place = place
        arguments = __internal(arguments) if ::Encoding.default_internal
        handler.event_location(*place)
        handler.__send__(event, *arguments)
      end
      self
    end

    def __internal(value)
      case value
      when ::String then value.encode(::Encoding.default_internal)
      when ::Array then value.map { |item| __internal(item) }
      else value
      end
    end
  end
end
