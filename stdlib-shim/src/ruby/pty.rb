# Pseudo terminals: programs that run as if at a terminal of their own.
require "io/console"

module PTY
  class ChildExited < StandardError
    attr_reader :status
  end

  # ioctl(2): unlocks the other side, asks its number, makes a terminal the one of the session.
  UNLOCK = 0x40045431
  NUMBER = 0x80045430
  OWN = 0x540E
  private_constant :UNLOCK, :NUMBER, :OWN

  class << self
    # Both sides of a new terminal: the master's, and that of programs.
    def open
      master, path = __master
      slave = ::File.open(path, ::File::RDWR | ::File::NOCTTY)
      slave.sync = true
      pair = [master, slave]
      return pair unless block_given?
      begin
        yield pair
      ensure
        pair.each { |io| io.close unless io.closed? }
      end
    end

    # Starts a program at a new terminal: what it writes is read from the first stream, what is written to the second is its input.
    def spawn(*command)
      master, path = __master
      pid = __start(path, command)
      input, output = master, master.dup
      [input, output].each { |io| io.define_singleton_method(:inspect) { "#<File:#{path}>" } }
      input.sync = false
      output.sync = true
      result = [input, output, pid]
      return result unless block_given?
      begin
        yield result
      ensure
        __release(pid)
      end
      nil
    end
    alias getpty spawn

    # The status of a child that has ended, or nil; with `raise` as an exception.
    def check(pid, raise = false)
      return nil unless ::Process.wait(pid, ::Process::WNOHANG | ::Process::WUNTRACED)
      return $? unless raise
      what = $?.stopped? ? "stopped" : "exited"
      Kernel.raise(ChildExited.new("pty - #{what}: #{pid}").tap { |error| error.instance_variable_set(:@status, $?) })
    end

    private

    def __master
      master = ::File.open("/dev/ptmx", ::File::RDWR | ::File::NOCTTY)
      master.ioctl(UNLOCK, [0].pack("i"))
      master.ioctl(NUMBER, number = [0].pack("i"))
      path = "/dev/pts/#{number.unpack1("i")}"
      master.sync = true
      master.define_singleton_method(:inspect) { "#<IO:masterpty:#{path}>" }
      [master, path]
    end

    # `$?` is the status of a child that has ended.
    def __release(pid)
      ::Process.wait(pid, ::Process::WNOHANG) or ::Process.detach(pid)
    rescue ::Errno::ECHILD
      nil
    end

    def __start(path, command)
      command = [::ENV["SHELL"] || "/bin/sh"] if command.empty?
      failed, fail = ::IO.pipe
      pid = ::Process.fork do
        failed.close
        ::Process.setsid
        slave = ::File.open(path, ::File::RDWR)
        slave.ioctl(OWN, 0)
        [$stdin, $stdout, $stderr].each { |stream| stream.reopen(slave) }
        exec(*command)
      rescue ::SystemCallError => error
        fail.write(::Marshal.dump(error))
        fail.close
      ensure
        exit!(1)
      end
      fail.close
      error = failed.read
      failed.close
      return pid if error.empty?
      ::Process.wait(pid)
      raise ::Marshal.load(error).class.new("fork failed")
    end
  end
end
