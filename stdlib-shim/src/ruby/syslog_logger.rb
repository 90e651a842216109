# Syslog::Logger: the interface of Logger for the system's log.
require "syslog"
require "logger"

class Syslog::Logger
  class Formatter
    def call(_severity, _time, _progname, message) = clean(message)

    private

    # Without the spaces around it and the escapes of terminals.
    def clean(message) = message.to_s.strip.gsub(/\e\[[0-9;]*m/, "")
  end

  VERSION = "2.1.0"
  LEVEL_MAP = {
    ::Logger::UNKNOWN => Syslog::LOG_ALERT, ::Logger::FATAL => Syslog::LOG_ERR, ::Logger::ERROR => Syslog::LOG_WARNING,
    ::Logger::WARN => Syslog::LOG_NOTICE, ::Logger::INFO => Syslog::LOG_INFO, ::Logger::DEBUG => Syslog::LOG_DEBUG
  }

  def self.syslog = @@syslog
  def self.syslog=(syslog)
    @@syslog = syslog
  end

  # A method that logs, and one that tells whether it would.
  def self.make_methods(name)
    level = ::Logger.const_get(name.upcase)
    define_method(name) { |message = nil, &block| add(level, message, &block) }
    define_method(:"#{name}?") { level >= self.level }
  end
  %i(unknown fatal error warn info debug).each { |name| make_methods(name) }

  attr_accessor :level, :formatter, :facility

  def initialize(program_name = "ruby", facility = nil)
    @level = ::Logger::DEBUG
    @formatter = Formatter.new
    @@syslog ||= Syslog.open(program_name)
    @facility = (facility || @@syslog.facility)
  end

  def add(severity, message = nil, progname = nil)
    severity ||= ::Logger::UNKNOWN
    return true if severity < level
    message ||= block_given? ? yield : progname
    @@syslog.log(LEVEL_MAP[severity] | @facility, "%s", formatter.call(severity, Time.now, progname, message))
    true
  end
end
