# Logger::Syslog, of the gem syslog-logger: the one of the standard library.
require "logger"
require "syslog/logger"
Logger::Syslog = Syslog::Logger unless defined?(Logger::Syslog)
