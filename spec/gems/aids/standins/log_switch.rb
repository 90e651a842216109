# A small stand-in for log_switch: a logger that a module's extension can turn on and off.
require "logger"
module LogSwitch
  attr_writer :logger, :log, :log_level

  def logger = @logger ||= ::Logger.new($stdout)
  def log? = @log != false
  def log_level = @log_level ||= :debug

  def log(message = nil, level = log_level)
    return unless log?
    message.respond_to?(:each_line) ? message.each_line { |line| logger.send(level, line.chomp) } : logger.send(level, message)
  end

  def reset_config! = (@log = true)

  def self.extended(base)
    LogSwitch.extender = base
  end

  class << self
    attr_accessor :extender
  end

  module Mixin
    def log(*arguments) = LogSwitch.extender.log(*arguments)
  end
end
