module Mixlib
  class ShellOut
    DEFAULT_READ_TIMEOUT = 600
    READ_SIZE = 4096

    attr_accessor :user, :domain, :password, :with_logon, :login, :group, :cwd, :valid_exit_codes, :live_stdout, :live_stderr, :input, :log_level, :log_tag, :elevated, :sensitive, :command, :logger
    attr_reader :stdout, :stderr, :status, :execution_time, :environment
    attr_writer :umask, :timeout

    def initialize(*command)
      @stdout, @stderr = String.new, String.new
      @valid_exit_codes = [0]
      @environment = {}
      @log_level = :debug
      options = command.last.is_a?(Hash) ? command.pop : {}
      take_options(options)
      command = command.first if command.size == 1
      @command = command
      @command = @command.first if @command.is_a?(Array) && @command.size == 1
    end

    def live_stream=(io)
      @live_stdout = @live_stderr = io
    end

    def live_stream
      @live_stdout if @live_stdout == @live_stderr
    end

    def timeout = @timeout || DEFAULT_READ_TIMEOUT

    def umask
      @umask.is_a?(String) ? @umask.to_i(8) : @umask && (@umask & 0o7777)
    end

    def uid
      return nil unless user
      user.is_a?(Integer) ? user : __account { Etc.getpwnam(user.to_s).uid }
    end

    def gid
      return group.is_a?(Integer) ? group : __account { Etc.getgrnam(group.to_s).gid } if group
      return uid && Etc.getpwuid(uid).gid if using_login?
      nil
    end

    def __account
      yield
    rescue ArgumentError
      raise if __runs?
    end

    def using_login? = login && user
    def exitstatus = @status && @status.exitstatus
    def error? = !Array(valid_exit_codes).include?(exitstatus)

    def run_command
      require "etc"
      logger&.public_send(log_level, "#{"#{log_tag} " if log_tag}sh(#{command})")
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      @live = live_stdout || live_stderr
      (command.is_a?(Array) ? command : [command]).each { |part| "" + part }
      if __runs? && (obstacle = __obstacle)
        @status, = __run(["false"], {}, nil, nil, nil, nil, nil, DEFAULT_READ_TIMEOUT)
        @stderr << "#{obstacle.message} (#{obstacle.class})\n"
        @execution_time = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
        return self
      end
      folder = cwd || (using_login? ? (uid && Etc.getpwuid(uid).dir) : nil)
      begin
        @status, @stdout, @stderr, timed_out = __run(command, full_environment, folder, uid, gid, umask, input, timeout)
      rescue SystemCallError
        # the gem's child has ended with 1 when it could not start the command
        @status, = __run(["false"], {}, nil, nil, nil, nil, nil, DEFAULT_READ_TIMEOUT) if __runs?
        raise
      end
      @execution_time = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
      if timed_out
        @terminate_reason = "Command timed out after #{timeout.to_i}s:\nCommand exceeded allowed execution time, process terminated"
        raise CommandTimeout, format_for_exception
      end
      self
    end

    def error!
      invalid!("Expected process to exit with #{Array(valid_exit_codes).inspect}, but received '#{exitstatus}'") if error?
    end

    def invalid!(message = nil)
      message ||= "Command produced unexpected results"
      raise ShellCommandFailed, message + "\n" + format_for_exception
    end

    def format_for_exception
      return "Command execution failed. STDOUT/STDERR suppressed for sensitive resource" if sensitive
      text = String.new
      text << "#{@terminate_reason}\n" if @terminate_reason
      text << "---- Begin output of #{command} ----\n"
      text << "STDOUT: #{stdout.strip}\n"
      text << "STDERR: #{stderr.strip}\n"
      text << "---- End output of #{command} ----\n"
      text << "Ran #{command} returned #{exitstatus}" if @status
      text
    end

    def inspect
      "<#{self.class.name}##{object_id}: command: '#{@command}' process_status: #{@status.inspect} stdout: '#{stdout.strip}' stderr: '#{stderr.strip}' child_pid: #{@status&.pid.inspect} environment: #{@environment.inspect} timeout: #{timeout} user: #{@user} group: #{@group} working_dir: #{@cwd} >"
    end

    private

    # What keeps the child from reaching its command, in the order in which it prepares itself: it ends with status 1 then, and tells why.
    def __obstacle
      team, owner = gid, uid
      return Errno::EPERM.new unless Process.euid.zero? || [[team, Process.egid], [owner, Process.euid]].all? { |wanted, own| wanted.nil? || wanted == own }
      cwd.nil? || File.directory?(cwd) ? nil : Errno::ENOENT.new(cwd)
    rescue ArgumentError => unknown
      unknown
    end

    def full_environment
      return @environment unless using_login?
      entry = Etc.getpwuid(uid)
      { "LANG" => ENV["LANG"], "HOME" => entry.dir, "LOGNAME" => entry.name, "USER" => entry.name, "SHELL" => entry.shell, "IFS" => "\t\n" }.merge(@environment)
    end

    def __live(name, data)
      io = name == :stdout ? live_stdout : live_stderr
      io << data if io
    end

    def take_options(options)
      options.each do |name, value|
        case name.to_s
        when "cwd" then @cwd = value
        when "domain" then @domain = value
        when "password" then @password = value
        when "user"
          @user = value
          @with_logon = value
        when "group" then @group = value
        when "umask" then @umask = value
        when "timeout" then @timeout = value
        when "returns" then @valid_exit_codes = Array(value)
        when "live_stream" then self.live_stream = value
        when "live_stdout" then @live_stdout = value
        when "live_stderr" then @live_stderr = value
        when "input" then @input = value
        when "logger" then @logger = value
        when "log_level" then @log_level = value
        when "log_tag" then @log_tag = value
        when "elevated" then @elevated = value
        when "environment", "env"
          (value || {}).each { |key, each| @environment[key.to_s] = each }
        when "login" then @login = value
        when "sensitive" then @sensitive = value
        else raise InvalidCommandOption, "option '#{name.inspect}' is not a valid option for #{self.class.name}"
        end
      end
      raise InvalidCommandOption, "cannot set login without specifying a user" if login && !user
      raise InvalidCommandOption, "Option `elevated` is supported for Powershell commands only" if elevated
    end
  end
end
