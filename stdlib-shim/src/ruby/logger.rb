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
      @dev = @filename = @shift_age = @shift_size = @shift_period_suffix = nil
      @binmode = binmode
      mon_initialize
      set_dev(log)
      return unless @filename
      @shift_age = shift_age || 7
      @shift_size = shift_size || 1048576
      @shift_period_suffix = shift_period_suffix || "%Y%m%d"
      return if @shift_age.is_a?(Integer)
      # a file that is there already belongs to the period of its last change
      @next_rotate_time = next_rotate_time(@dev.respond_to?(:stat) ? @dev.stat.mtime : Time.now, @shift_age)
    end

    def write(message)
      synchronize do
        begin
          check_shift_log if @shift_age && @dev.respond_to?(:stat)
        rescue ::StandardError => e
          warn("log shifting failed. #{e}")
        end
        begin
          @dev.write(message)
        rescue ::StandardError => e
          warn("log writing failed. #{e}")
        end
      end
    rescue Exception => e
      warn("log writing failed. #{e}")
    end

    def close
      synchronize { close_dev }
    rescue Exception
      close_dev
    end

    # Opens the file anew, or another; a stream without a path stays as it is.
    def reopen(log = nil)
      log ||= @filename or return self
      synchronize do
        if @filename && @dev
          close_dev
          @filename = nil
        end
        set_dev(log)
      end
      self
    end

    private

    def close_dev
      @dev.close
    rescue ::StandardError
      nil
    end

    def set_dev(log)
      if log.respond_to?(:write) && log.respond_to?(:close)
        @dev = log
        @filename = log.path if log.respond_to?(:path)
      else
        @dev = open_logfile(log)
        @filename = log
      end
    end

    def open_logfile(filename)
      prepared(File.open(filename, File::WRONLY | File::APPEND))
    rescue Errno::ENOENT
      create_logfile(filename)
    end

    def prepared(file)
      file.sync = true
      file.binmode if @binmode
      file
    end

    # Another process may create it at the same time: who comes second opens it.
    def create_logfile(filename)
      file = File.open(filename, File::WRONLY | File::APPEND | File::CREAT | File::EXCL)
      file.flock(File::LOCK_EX)
      add_log_header(prepared(file))
      file.flock(File::LOCK_UN)
      file
    rescue Errno::EEXIST
      open_logfile(filename)
    end

    def add_log_header(file)
      file.write("# Logfile created on #{Time.now} by #{ProgName}\n") if file.size == 0
    end

    def check_shift_log
      if @shift_age.is_a?(Integer)
        lock_shift_log { shift_log_age } if @filename && @shift_age > 0 && @dev.stat.size > @shift_size
      elsif (now = Time.now) >= @next_rotate_time
        @next_rotate_time = next_rotate_time(now, @shift_age)
        lock_shift_log { shift_log_period(previous_period_end(now, @shift_age)) }
      end
    end

    # Shifts under a lock of the file. Where it is another file by then, another process has shifted, and its new file is opened.
    def lock_shift_log
      waits = Array.new(8) { |number| 0.1 * 2**number }
      begin
        File.open(@filename, File::WRONLY | File::APPEND) do |lock|
          lock.flock(File::LOCK_EX)
          next yield if File.identical?(@filename, lock) && File.identical?(lock, @dev)
          close_dev
          @dev = open_logfile(@filename)
        end
      rescue Errno::ENOENT => e
        # between another process's renaming and its creation of the file
        wait = waits.shift or return warn("log rotation inter-process lock failed. #{e}")
        sleep(wait)
        retry
      end
    rescue ::StandardError => e
      warn("log rotation inter-process lock failed. #{e}")
    end

    def shift_log_age
      (@shift_age - 3).downto(0) do |number|
        File.rename("#{@filename}.#{number}", "#{@filename}.#{number + 1}") if File.exist?("#{@filename}.#{number}")
      end
      exchange("#{@filename}.0")
    end

    def shift_log_period(period_end)
      aged = "#{@filename}.#{period_end.strftime(@shift_period_suffix)}"
      number = 0
      free = aged
      free = "#{aged}.#{number += 1}" while number < 100 && File.exist?(free)
      exchange(free)
    end

    def exchange(aged)
      close_dev
      File.rename(@filename, aged)
      @dev = create_logfile(@filename)
      true
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
