# Terminals: io/console's modes and pty's programs.
require "pty"
require "io/console"

reader, writer, pid = PTY.spawn("echo hi; read a; echo got $a; exit 3")
p reader.class, writer.class, writer.sync, reader.fileno == writer.fileno
p reader.gets
writer.puts "abc"
p reader.gets, reader.gets
begin; reader.gets; rescue => e; p e.class; end
Process.wait(pid) rescue p $!.class
p $?.class, $?.exitstatus
p PTY.spawn("exit 3") { |out, _in, _pid| out.read rescue 1 }
reader, writer, pid = PTY.spawn("cat", "-n")
p PTY.check(pid), PTY.check(pid, true)
Process.kill(:TERM, pid)
error = nil
200.times { break if (error = begin; PTY.check(pid, true); rescue PTY::ChildExited => e; e; end); sleep 0.01 }
p error.class, error.message == "pty - exited: #{pid}", error.status.class
begin; PTY.spawn("no-such-program-here", "x"); rescue => e; p e.class; end
p PTY.open { |master, slave| [master.class, slave.class, master.tty?, slave.tty?, slave.path.start_with?("/dev/pts/")] }.size

master, slave = PTY.open
DRAIN = lambda do |last|
  text = +""
  text << master.readpartial(1000) until text.end_with?(last)
  text
end
p master.winsize, (master.winsize = [30, 90]), slave.winsize, (slave.winsize = [31, 91, 1, 2]), master.winsize
p slave.echo?, (slave.echo = false), slave.echo?, slave.noecho { |io| [io.equal?(slave), io.echo?] }, slave.echo?
modes = ->(io) { io.console_mode.then { |mode| [mode.class, mode.dup.raw.class] } }
p modes[slave], slave.raw!.equal?(slave), slave.echo?, slave.cooked!.equal?(slave), slave.echo?
slave.echo = false
mode = slave.console_mode
mode.echo = true
slave.console_mode = mode
p slave.echo?, slave.raw(min: 0, time: 1) { |io| io.echo? }, slave.cooked { |io| io.echo? }
slave.echo = false
master.write "xy\n"
p slave.getch, slave.getch, slave.getch
master.puts "secret"
p slave.getpass("Pw: "), DRAIN["Pw: \r\n"][/Pw.*/m]
slave.raw!
master.write "q"
p slave.getch(min: 1, time: 1, intr: true), slave.iflush.equal?(slave), slave.oflush.equal?(slave), slave.ioflush.equal?(slave)
slave.beep
slave.cursor_up(2)
slave.cursor_down(1)
slave.cursor_left(3)
slave.cursor_right(9)
slave.cursor_up(0)
slave.goto(3, 4)
slave.goto_column(5)
slave.erase_line(0)
slave.erase_screen(2)
slave.scroll_forward(2)
slave.scroll_backward(1)
slave.clear_screen
slave.cursor = [1, 2]
p DRAIN["\e[2;3H"][/\a.*/m]
begin; slave.erase_line(5); rescue => e; p e.class, e.message; end
begin; slave.erase_screen(5); rescue => e; p e.class, e.message; end
master.write "\e[12;5R"
p slave.cursor, DRAIN["\e[6n"]
begin; slave.winsize = [1]; rescue => e; p e.class, e.message; end
pipe, = IO.pipe
[-> { pipe.winsize }, -> { pipe.raw {} }, -> { pipe.echo? }, -> { pipe.getch }, -> { pipe.noecho {} }, -> { pipe.console_mode }].each { |call| begin; call.call; rescue => e; p e.class; end }
size = +""
p slave.ioctl(0x5413, size), size.bytesize, size.unpack("S2")
size = [0, 0, 0, 0].pack("S4")
p slave.ioctl(0x5413, size), size.bytesize
begin; slave.ioctl(0x5413, "".freeze); rescue => e; p e.class; end
begin; pipe.ioctl(0x5413, +""); rescue => e; p e.class; end
begin; slave.ioctl(0x540B, Object.new); rescue => e; p e.class; end
p slave.ioctl(0x540B, 0), slave.ioctl(0x540B)
