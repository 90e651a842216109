require "logger"
require "time"

# A module or class that extends this logs to several devices with one level; the levels of Logger and `:trace`.
module Mixlib
  module Log
    VERSION = "3.0.9"

    # A method for each level; what includes this has `add`.
    module Logging
      include ::Logger::Severity
      TRACE = -1
      LEVELS = { trace: TRACE, debug: DEBUG, info: INFO, warn: WARN, error: ERROR, fatal: FATAL }.freeze
      LEVEL_NAMES = LEVELS.invert.freeze
      SEV_LABEL = [*LEVELS.keys.map { |name| name.to_s.upcase.freeze }, "ANY"].freeze

      attr_accessor :metadata

      LEVELS.each do |name, severity|
        define_method(name) do |message = nil, data: {}, &block|
          pass(severity, message, data: data, &block)
          nil
        end
      end

      def to_label(severity) = SEV_LABEL[severity + 1] || "ANY"

      # The block tells message, program and data.
      def pass(severity, message, progname = nil, data: {})
        message, progname, data = yield if block_given?
        add(severity, message, progname, data: data)
      end
    end

    # `[time] LEVEL: message`.
    class Formatter < ::Logger::Formatter
      @@show_time = true
      def self.show_time=(show = false)
        @@show_time = show
      end

      def call(severity, time, _progname, message) = "#{"[#{time.iso8601}] " if @@show_time}#{severity}: #{msg2str(message)}\n"

      def msg2str(message)
        case message
        when ::Hash then message.key?(:err) ? format_exception(message[:err]) : message[:msg]
        when ::String then message
        when ::Exception then format_exception(message)
        else message.inspect
        end
      end

      def format_exception(error) = "#{error.message} (#{error.class})\n#{(error.backtrace || []).join("\n")}"
    end

    # Writes to one device, without a lock; what it formats is a Hash with `:msg` or `:err`.
    class Logger < ::Logger
      include Logging

      # A device whose failures are warned of and nothing else.
      class LocklessLogDevice < LogDevice
        def initialize(log = nil)
          @dev = @filename = @shift_age = @shift_size = nil
          if log.respond_to?(:write) && log.respond_to?(:close)
            @dev = log
          else
            fresh = !File.exist?(log)
            @dev = File.open(log, File::WRONLY | File::APPEND | File::CREAT)
            @dev.write("# Logfile created on #{Time.now} by #{::Logger::ProgName}\n") if fresh
            @filename = log
          end
          @dev.sync = true
        end

        def write(message)
          @dev.write(message)
        rescue Exception => e
          warn("log writing failed. #{e}")
        end

        def close
          @dev.close
        rescue StandardError
          nil
        end
      end

      def initialize(device)
        @progname = @formatter = nil
        @level = DEBUG
        @default_formatter = Formatter.new
        @logdev = device ? LocklessLogDevice.new(device) : nil
      end

      def trace? = level <= TRACE
      def level=(severity)
        severity == TRACE ? @level = TRACE : super
      end

      def add_data(severity, message, progname, data: {})
        return true if @logdev.nil? || severity < level
        data ||= {}
        data[message.is_a?(::Exception) ? :err : :msg] = message
        @logdev.write(format_message(to_label(severity), Time.now, progname, data))
        true
      end
      alias add add_data
    end

    # Hands on to its parent, with data of its own.
    class Child
      include Logging
      attr_reader :parent

      def initialize(parent, metadata = {})
        @parent, @metadata = parent, metadata
      end

      def level = parent.level
      Logging::LEVELS.each_key { |name| define_method("#{name}?") { parent.public_send("#{name}?") } }

      def add(severity, message = nil, progname = nil, data: {}, &block)
        parent.pass(severity, message, progname, data: data.is_a?(Hash) ? metadata.merge(data) : data, &block)
      end

      def with_child(metadata = {})
        child = Child.new(self, metadata)
        block_given? ? yield(child) : child
      end
    end

    include Logging

    def logger = @logger ||= init
    def loggers = @loggers ||= [logger]

    def logger=(device)
      reset!
      @logger = device
    end

    def reset!
      known = [@logger, *@loggers].uniq.select { |logger| logger.instance_variable_get(:@logdev)&.filename }
      known.each { |logger| logger.close rescue nil }
      @logger = @loggers = nil
      @metadata = {}
    end

    # Starts anew with one device: standard output, an IO, a path or a logger. The level is warn.
    def init(*device)
      reset!
      @logger = if device.empty? then Logger.new($stdout)
                elsif LEVELS.each_key.all? { |name| device[0].respond_to?(name) } then device[0]
                else Logger.new(*device)
                end
      @logger.formatter = Formatter.new if @logger.respond_to?(:formatter=)
      @logger.level = Logger::WARN
      @configured = true
      @logger
    end

    def configured? = @configured

    # Shares the devices of another log, or takes these.
    def use_log_devices(other)
      if other.respond_to?(:loggers) && other.respond_to?(:logger)
        @loggers, @logger = other.loggers, other.logger
      elsif other.is_a?(Array)
        @loggers, @logger = other, other.first
      else
        raise ArgumentError, "#use_log_devices takes a Mixlib::Log object or array of log devices. You gave: #{other.inspect}"
      end
      @configured = true
    end

    def level=(level)
      severity = LEVEL_NAMES.key?(level) ? level : LEVELS[level]
      raise ArgumentError, "Log level must be one of :trace, :debug, :info, :warn, :error, or :fatal" if severity.nil?
      loggers.each { |each| each.level = severity }
    end

    def level(level = nil) = level.nil? ? LEVEL_NAMES[logger.level] : self.level = level
    LEVELS.each_key { |name| define_method("#{name}?") { logger.public_send("#{name}?") } }

    def <<(text) = loggers.each { |each| each << text }

    def add(severity, message = nil, progname = nil, data: {})
      message, progname, data = yield if block_given?
      data = metadata.merge(data) if metadata.is_a?(Hash) && data.is_a?(Hash)
      loggers.each do |each|
        if data && !data.empty? && each.respond_to?(:add_data)
          each.add_data(severity, message, progname, data: data)
        else
          each.add(severity, message, progname)
        end
      end
    end
    alias log add

    def with_child(metadata = {})
      child = Child.new(self, metadata)
      block_given? ? yield(child) : child
    end

    # What only the devices know is theirs.
    def method_missing(name, *args, &block) = loggers.each { |each| each.public_send(name, *args, &block) }
    def respond_to_missing?(name, include_private = false) = logger.respond_to?(name) || super
  end
end
