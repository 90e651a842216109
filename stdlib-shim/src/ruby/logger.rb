require "monitor"

class Logger
  VERSION = "1.5.0"
  ProgName = "logger.rb/#{VERSION}"

  class Error < RuntimeError
  end

  class ShiftingError < Error
  end

  module Severity
    DEBUG = 0
    INFO = 1
    WARN = 2
    ERROR = 3
    FATAL = 4
    UNKNOWN = 5
  end
  include Severity

  class Formatter
    Format = "%s, [%s #%d] %5s -- %s: %s\n"
    DatetimeFormat = "%Y-%m-%dT%H:%M:%S.%6N"
    attr_accessor :datetime_format

    def initialize = @datetime_format = nil

    def call(severity, time, progname, msg)
      Format % [severity[0], format_datetime(time), Process.pid, severity, progname, msg2str(msg)]
    end

    private

    def format_datetime(time) = time.strftime(@datetime_format || DatetimeFormat)

    def msg2str(msg)
      case msg
      when ::String then msg
      when ::Exception then "#{msg.message} (#{msg.class})\n#{msg.backtrace&.join("\n")}"
      else msg.inspect
      end
    end
  end

  # When a period of a log ends.
  module Period
    module_function

    SiD = 24 * 60 * 60

    def next_rotate_time(now, shift_age)
      # an hour more or less, when clocks change, does not matter at noon
      day = ->(days) { Time.mktime(now.year, now.month, now.mday).then { |midnight| midnight + SiD * days + SiD / 2 }.then { |noon| Time.mktime(noon.year, noon.month, noon.mday) } }
      case shift_age
      when "daily" then day[1]
      when "weekly" then day[7 - now.wday]
      when "monthly" then Time.mktime(now.month == 12 ? now.year + 1 : now.year, now.month % 12 + 1, 1)
      when "now", "everytime" then now
      else raise ArgumentError, "invalid :shift_age #{shift_age.inspect}, should be daily, weekly, monthly, or everytime"
      end
    end

    def previous_period_end(now, shift_age)
      midnight = Time.mktime(now.year, now.month, now.mday)
      last =
        case shift_age
        when "daily" then midnight - SiD / 2
        when "weekly" then midnight - (SiD * now.wday + SiD / 2)
        when "monthly" then Time.mktime(now.year, now.month, 1) - SiD / 2
        when "now", "everytime" then return now
        else raise ArgumentError, "invalid :shift_age #{shift_age.inspect}, should be daily, weekly, monthly, or everytime"
        end
      Time.mktime(last.year, last.month, last.mday, 23, 59, 59)
    end
  end

  # Writes to an IO, or to a file that is shifted by size or age.
  class LogDevice
    include Period
    include MonitorMixin
    attr_reader :dev, :filename

    def initialize(log = nil, shift_age: nil, shift_size: nil, shift_period_suffix: nil, binmode: false)
      super()
      @dev = @filename = nil
      @binmode = binmode
      @shift_period_suffix = shift_period_suffix || "%Y%m%d"
      if log.respond_to?(:write) && log.respond_to?(:close)
        @dev = log
        @filename = log.path if log.respond_to?(:path) && log.path.is_a?(String) && File.exist?(log.path)
      else
        @filename = log
        @dev = open_file(log)
      end
      return unless @filename
      @shift_age = shift_age || 7
      @shift_size = shift_size || 1048576
      return if @shift_age.is_a?(Integer)
      # a file that is there already belongs to the period of its last change
      @next_rotate_time = next_rotate_time(@dev.respond_to?(:stat) ? @dev.stat.mtime : Time.now, @shift_age)
    end

    def write(message)
      synchronize do
        begin
          shift if @shift_age
        rescue ::StandardError => e
          warn("log shifting failed. #{e}")
        end
        begin
          @dev.write(message)
        rescue ::StandardError => e
          warn("log writing failed. #{e}")
        end
      end
    end

    def close
      synchronize do
        @dev.close
      rescue ::StandardError
        nil
      end
    end

    def reopen(log = nil)
      return self if log.nil? && @filename.nil?
      synchronize do
        # a stream that was given stays open
        @dev.close if @filename && !@dev.closed?
        if log.nil? || log.is_a?(String)
          @filename = log || @filename
          @dev = open_file(@filename)
        else
          @dev = log
          @filename = nil
        end
      end
      self
    end

    private

    def open_file(path)
      fresh = !File.exist?(path)
      file = File.open(path, File::WRONLY | File::APPEND | File::CREAT)
      file.sync = true
      file.binmode if @binmode
      add_log_header(file) if fresh
      file
    end

    def add_log_header(file)
      file.write("# Logfile created on #{Time.now} by #{ProgName}\n") if file.size == 0
    end

    def shift
      if @shift_age.is_a?(Integer)
        return unless @filename && @shift_age > 0 && @dev.stat.size > @shift_size
        (@shift_age - 3).downto(0) do |number|
          File.rename("#{@filename}.#{number}", "#{@filename}.#{number + 1}") if File.exist?("#{@filename}.#{number}")
        end
        exchange("#{@filename}.0")
      elsif Time.now >= @next_rotate_time
        @next_rotate_time = next_rotate_time(Time.now, @shift_age)
        suffix = previous_period_end(Time.now, @shift_age).strftime(@shift_period_suffix)
        aged = "#{@filename}.#{suffix}"
        number = 0
        aged = "#{@filename}.#{suffix}.#{number += 1}" while File.exist?(aged)
        exchange(aged)
      end
    end

    def exchange(aged)
      @dev.close
      File.rename(@filename, aged)
      @dev = open_file(@filename)
    end
  end

  SEV_LABEL = %w[DEBUG INFO WARN ERROR FATAL ANY].freeze

  attr_reader :level
  alias sev_threshold level
  attr_accessor :progname, :formatter

  def initialize(logdev, shift_age = 0, shift_size = 1048576, level: DEBUG, progname: nil, formatter: nil, datetime_format: nil, binmode: false, shift_period_suffix: "%Y%m%d")
    self.level = level
    @progname = progname
    @default_formatter = Formatter.new
    self.datetime_format = datetime_format
    @formatter = formatter
    @logdev = nil
    return unless logdev && logdev != File::NULL
    @logdev = LogDevice.new(logdev, shift_age: shift_age, shift_size: shift_size, shift_period_suffix: shift_period_suffix, binmode: binmode)
  end

  def level=(severity)
    @level = severity.is_a?(Integer) ? severity : SEV_LABEL[0, 5].index(severity.to_s.upcase) || (severity.to_s.casecmp?("unknown") ? UNKNOWN : nil)
    raise ArgumentError, "invalid log level: #{severity}" unless @level
  end
  alias sev_threshold= level=

  def datetime_format = @default_formatter.datetime_format
  def datetime_format=(format)
    @default_formatter.datetime_format = format
  end

  def reopen(logdev = nil)
    @logdev&.reopen(logdev)
    self
  end

  def add(severity, message = nil, progname = nil)
    severity ||= UNKNOWN
    return true if @logdev.nil? || severity < level
    progname = @progname if progname.nil?
    if message.nil?
      if block_given?
        message = yield
      else
        message = progname
        progname = @progname
      end
    end
    @logdev.write(format_message(format_severity(severity), Time.now, progname, message))
    true
  end
  alias log add

  def <<(message) = @logdev&.write(message)

  { debug: DEBUG, info: INFO, warn: WARN, error: ERROR, fatal: FATAL }.each do |name, severity|
    define_method(name) { |progname = nil, &block| add(severity, nil, progname, &block) }
    define_method("#{name}?") { level <= severity }
    define_method("#{name}!") { self.level = severity }
  end
  def unknown(progname = nil, &block) = add(UNKNOWN, nil, progname, &block)
  def close = @logdev&.close

  private

  def format_severity(severity) = SEV_LABEL[severity] || "ANY"
  def format_message(severity, time, progname, message) = (@formatter || @default_formatter).call(severity, time, progname, message)
end
