# An event of Logstash: fields with a time and a version.
require "json"
require "time"
module LogStash
  class Event
    def initialize(fields = {})
      @fields = { "@timestamp" => Time.now.utc.iso8601(3), "@version" => "1" }.merge(fields)
    end

    def [](name) = @fields[name]
    def []=(name, value)
      @fields[name] = value
    end

    def to_json(*) = @fields.to_json
    def to_hash = @fields
  end
end
