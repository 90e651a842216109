# Syslog: messages to the system's log, over its local socket.
require "socket"

module Syslog
  module Level
    LOG_EMERG, LOG_ALERT, LOG_CRIT, LOG_ERR, LOG_WARNING, LOG_NOTICE, LOG_INFO, LOG_DEBUG = *0..7
  end

  module Facility
    %i(KERN USER MAIL DAEMON AUTH SYSLOG LPR NEWS UUCP CRON AUTHPRIV FTP).each_with_index { |name, index| const_set(:"LOG_#{name}", index << 3) }
    8.times { |index| const_set(:"LOG_LOCAL#{index}", (16 + index) << 3) }
  end

  module Option
    LOG_PID, LOG_CONS, LOG_ODELAY, LOG_NDELAY, LOG_NOWAIT, LOG_PERROR = 1, 2, 4, 8, 16, 32
  end

  module Macros
    def self.included(target) = target.extend(self)
    def LOG_MASK(level) = 1 << level
    def LOG_UPTO(level) = (1 << (level + 1)) - 1
  end

  module Constants
    include Option
    include Facility
    include Level
    include Macros

    def self.included(target) = target.extend(Macros)
  end

  [Option, Facility, Level].each { |group| group.constants.each { |name| const_set(name, group.const_get(name)) } }
  extend Macros

  SOCKET = "/dev/log"
  private_constant :SOCKET

  @ident = @options = @facility = @mask = nil

  class << self
    attr_reader :ident, :options, :facility, :mask

    def open(ident = nil, options = nil, facility = nil)
      raise "syslog already open" if opened?
      @ident = ident.nil? ? $0 : String(ident)
      @options = options.nil? ? LOG_PID | LOG_CONS : Integer(options)
      @facility = facility.nil? ? LOG_USER : Integer(facility)
      @mask ||= 0xff
      @opened = true
      return self unless block_given?
      begin
        yield self
      ensure
        close
      end
      self
    end

    def reopen(...)
      close
      open(...)
    end
    alias open! reopen

    def opened? = @opened ? true : false

    def mask=(mask)
      raise "must open syslog before setting log mask" unless opened?
      @mask = Integer(mask)
    end

    def close
      raise "syslog not opened" unless opened?
      @ident = @options = @facility = @mask = nil
      @opened = false
      nil
    end

    def log(level, *message)
      raise ArgumentError, "wrong number of arguments (given 1, expected 2+)" if message.empty?
      raise TypeError, "type mismatch: #{level.class} given" unless level.is_a?(Integer)
      write(level, message)
    end

    %i(emerg alert crit err warning notice info debug).each do |name|
      level = Level.const_get(:"LOG_#{name.upcase}")
      define_method(name) { |*message| write(level, message) }
    end

    def inspect
      return "<##{self}: opened=false>" unless opened?
      "<##{self}: opened=true, ident=#{ident.inspect}, options=#{options}, facility=#{facility}, mask=#{mask}>"
    end

    def instance = self

    private

    def write(level, message)
      raise "must open syslog before write" unless opened?
      return self if @mask & (1 << (level & 7)) == 0
      text = format(*message)
      tag = @options & LOG_PID == 0 ? @ident : "#{@ident}[#{Process.pid}]"
      $stderr.write("#{tag}: #{text}\n") unless @options & LOG_PERROR == 0
      priority = level & ~7 == 0 ? level | @facility : level
      send_line("<#{priority}>#{Time.now.strftime("%b %e %T")} #{tag}: #{text}")
      self
    end

    # As with the C library, a message is lost where nobody listens.
    def send_line(line)
      socket = Socket.new(:UNIX, :DGRAM, 0)
      socket.connect(Socket.pack_sockaddr_un(SOCKET))
      socket.send(line, 0)
    rescue SystemCallError
      nil
    ensure
      socket&.close
    end
  end
end
