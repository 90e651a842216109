require "logstash/event"
