require "logger"
require "time"

# A module or class that extends this logs to several devices with one level; the levels of Logger and `:trace`.
module Mixlib
  module Log
    VERSION = "3.0.9"

    module Logging
      LEVELS = { trace: -1, debug: 0, info: 1, warn: 2, error: 3, fatal: 4 }.freeze
      LEVEL_NAMES = LEVELS.invert.freeze
      SEV_LABEL = %w[TRACE DEBUG INFO WARN ERROR FATAL ANY].freeze
      attr_accessor :metadata

      LEVELS.each do |name, severity|
        define_method(name) do |message = nil, data: {}, &block|
          pass(severity, message, data: data, &block)
        end
        define_method("#{name}?") { logger.level <= severity }
      end

      def unknown(message = nil, data: {}, &block) = pass(5, message, data: data, &block)

      def add(severity, message = nil, progname = nil, data: {}, &block)
        pass(severity || 5, message.nil? && !block ? progname : message, data: data, &block)
      end
      alias log add

      def pass(severity, message, data: {}, &block)
        configured? || init
        message = block.call if message.nil? && block
        message = { msg: message }.merge(metadata || {}, data) if use_log_devices_metadata?(data)
        loggers_to_close_and_write.each { |logger| logger.add(severity, message) }
        true
      end

      def to_h = {}

      private

      def use_log_devices_metadata?(data) = !data.empty?
    end

    class Formatter < ::Logger::Formatter
      attr_writer :show_time
      class << self
        attr_accessor :show_time
      end
      self.show_time = true

      def call(severity, time, _progname, msg)
        text = msg2str(msg)
        self.class.show_time ? "[#{time.iso8601}] #{severity}: #{text}\n" : "#{severity}: #{text}\n"
      end

      def msg2str(msg)
        case msg
        when ::Hash then msg[:err] ? msg2str(msg[:err]) : msg[:msg].to_s
        when ::Exception then "#{msg.message} (#{msg.class})\n#{(msg.backtrace || []).join("\n")}"
        when ::String then msg
        else msg.inspect
        end
      end
    end

    # Logger with a level below debug.
    class LevelLogger < ::Logger
      def level=(value)
        value == -1 || value.to_s.casecmp?("trace") ? @level = -1 : super
      end

      def trace(progname = nil, &block) = add(-1, nil, progname, &block)
      def trace? = level <= -1

      private

      def format_severity(severity) = severity == -1 ? "TRACE" : super
    end

    include Logging
    extend self

    attr_reader :logger, :loggers

    def self.extended(base)
      base.instance_variable_set(:@configured, false)
      super
    end

    def loggers = @loggers ||= [logger]

    def reset!
      @loggers = [@logger = LevelLogger.new(nil)]
      @configured = false
      @metadata = {}
    end

    def logger = @logger || init

    def logger=(logger)
      @loggers = [logger]
      @logger = logger
      @configured = true
    end

    def use_log_devices(other)
      if other.respond_to?(:loggers) && other.respond_to?(:logger)
        @loggers = other.loggers
        @logger = other.logger
      elsif other.is_a?(Array)
        @loggers = other
        @logger = other.first
      else
        raise ArgumentError, "#use_log_devices takes a Mixlib::Log object or array of log devices. You gave: #{other.inspect}"
      end
      @configured = true
    end

    def init(*opts)
      reset!
      @logger = if opts.empty?
                  LevelLogger.new($stdout)
                elsif opts.first.respond_to?(:add) && opts.first.respond_to?(:level)
                  opts.first
                else
                  LevelLogger.new(*opts)
                end
      @logger.formatter = Formatter.new if @logger.respond_to?(:formatter=)
      @logger.level = 2 if opts.empty? || !opts.first.respond_to?(:level)
      @configured = true
      @loggers = [@logger]
      @logger
    end

    def configured? = !!@configured

    def level=(name)
      severity = name.is_a?(Symbol) || name.is_a?(String) ? Logging::LEVELS[name.to_sym] : name
      raise ArgumentError, "Log level must be one of :trace, :debug, :info, :warn, :error, or :fatal" if severity.nil?
      loggers.each { |logger| logger.level = severity }
      @level = severity
    end

    def level(name = nil)
      return self.level = name if name
      Logging::LEVEL_NAMES[logger.level]
    end

    def with_child(metadata = {})
      child = Child.new(self, metadata)
      block_given? ? yield(child) : child
    end

    def <<(message) = loggers.each { |logger| logger << message }
    def close = all_loggers_close

    def respond_to_missing?(name, include_private = false) = logger.respond_to?(name) || super

    def method_missing(name, *args, &block)
      return super unless logger.respond_to?(name)
      loggers.each { |logger| logger.__send__(name, *args, &block) }
    end

    # A logger that adds data to what it hands on.
    class Child
      include Logging
      attr_reader :parent

      def initialize(parent, metadata = {})
        @parent = parent
        @metadata = metadata
      end

      def logger = parent.logger

      def pass(severity, message, data: {}, &block)
        parent.pass(severity, message, data: metadata.merge(data), &block)
      end

      def with_child(metadata = {})
        child = Child.new(self, metadata)
        block_given? ? yield(child) : child
      end
    end

    private

    def loggers_to_close_and_write = loggers
    def all_loggers_close = loggers.each { |logger| logger.close if logger.respond_to?(:close) }
  end
end
