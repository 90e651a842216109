# The terminal: its size, its modes, single keys, where the cursor is.
require "io/console/native"

class IO
  # A terminal's modes: the bytes of Linux's `struct termios`, which are four words of flags, a byte and the control characters.
  class ConsoleMode
    GET = 0x5401
    # At once; after the output is written; the same, and input that was not read is dropped.
    SET = { 0 => 0x5402, 1 => 0x5403, 2 => 0x5404 }.freeze
    FORMAT = "L4Ca19"
    # Where the control characters lie of which `raw` changes the value.
    TIME = 5
    MIN = 6
    INPUT = { IGNBRK: 0o1, BRKINT: 0o2, PARMRK: 0o10, ISTRIP: 0o40, INLCR: 0o100, IGNCR: 0o200, ICRNL: 0o400, IXON: 0o2000 }.freeze
    OUTPUT = { OPOST: 0o1, ONLCR: 0o4 }.freeze
    CONTROL = { CSIZE: 0o60, CS8: 0o60, PARENB: 0o400 }.freeze
    LOCAL = { ISIG: 0o1, ICANON: 0o2, XCASE: 0o4, ECHO: 0o10, ECHOE: 0o20, ECHOK: 0o40, ECHONL: 0o100, IEXTEN: 0o100000 }.freeze
    private_constant(*constants(false))

    def self.__of(io)
      bytes = "\0" * 60
      io.ioctl(GET, bytes)
      made = allocate
      made.__send__(:take, bytes)
      made
    end

    class << self
      undef_method :new
    end

    def initialize_copy(other)
      take(other.__bytes)
    end

    def echo=(flag)
      bits = LOCAL.values_at(:ECHO, :ECHOE, :ECHOK).sum
      @local = flag ? @local | bits : @local & ~(bits | LOCAL[:ECHONL])
    end

    # Every key at once and as it is; `min` and `time`: how many bytes a read waits for, and for how many seconds; `intr`: the keys for signals stay.
    def raw!(min: nil, time: nil, intr: nil)
      @input &= ~INPUT.values.sum
      @output &= ~OUTPUT[:OPOST]
      @local &= ~LOCAL.values.sum
      @control = @control & ~(CONTROL[:CSIZE] | CONTROL[:PARENB]) | CONTROL[:CS8]
      @characters.setbyte(MIN, min || 1)
      @characters.setbyte(TIME, time ? (time * 10).to_i : 0)
      if intr
        @input |= INPUT[:BRKINT]
        @local |= LOCAL[:ISIG]
        @output |= OUTPUT[:OPOST]
      end
      self
    end

    def raw(**options) = dup.raw!(**options)

    # Lines, which the terminal lets one edit.
    def __cooked!
      @input |= INPUT.values_at(:BRKINT, :ISTRIP, :ICRNL, :IXON).sum
      @output |= OUTPUT[:OPOST]
      @local |= LOCAL.values_at(:ECHO, :ECHOE, :ECHOK, :ECHONL, :ICANON, :ISIG, :IEXTEN).sum
      self
    end

    def __echo? = @local.anybits?(LOCAL[:ECHO] | LOCAL[:ECHONL])
    def __bytes = [@input, @output, @control, @local, @line, @characters].pack(FORMAT) + @rest

    def __set(io, how = 1)
      io.ioctl(SET.fetch(how), __bytes)
    end

    private

    def take(bytes)
      @input, @output, @control, @local, @line, @characters = bytes.unpack(FORMAT)
      @rest = bytes.byteslice(36..)
    end
  end

  WINDOW = { get: 0x5413, set: 0x5414 }.freeze
  # tcflush(3): input, output or both.
  FLUSH = 0x540B
  private_constant :WINDOW, :FLUSH

  # The terminal of the process, or nil when it has none; with a name, what that method of it gives.
  def self.console(method = nil, *arguments)
    @console = nil if defined?(@console) && @console&.closed?
    return @console = nil.tap { @console&.close } if method == :close
    @console ||= File.open("/dev/tty", "r+").tap { |made| made.sync = true }
    method ? @console.__send__(method, *arguments) : @console
  rescue SystemCallError
    nil
  end

  def console_mode = ConsoleMode.__of(self)
  def console_mode=(mode)
    mode.__set(self)
  end

  def raw(min: nil, time: nil, intr: nil)
    __in_mode(->(mode) { mode.raw!(min: min, time: time, intr: intr) }) { yield self }
  end
  def raw!(min: nil, time: nil, intr: nil)
    __change_mode { |mode| mode.raw!(min: min, time: time, intr: intr) }
  end
  def cooked
    __in_mode(:__cooked!.to_proc) { yield self }
  end
  def cooked! = __change_mode(&:__cooked!)
  def noecho
    __in_mode(->(mode) { mode.echo = false }) { yield self }
  end
  def echo=(flag)
    __change_mode { |mode| mode.echo = flag }
  end
  def echo? = console_mode.__echo?

  # The next key, without waiting for the end of a line.
  def getch(min: nil, time: nil, intr: nil)
    raw(min: min, time: time, intr: intr, &:getc)
  end

  # A line that is not shown while it is typed.
  def getpass(prompt = nil)
    out = fileno.zero? ? $stderr : self
    out.print(prompt) if prompt
    line = noecho(&:gets)
    out.puts
    line&.chomp
  end

  def winsize
    ioctl(WINDOW[:get], bytes = "\0" * 8)
    bytes.unpack("S2")
  end
  def winsize=(size)
    size = size.to_ary
    raise ArgumentError, "wrong number of arguments (given #{size.size}, expected 2 or 4)" unless [2, 4].include?(size.size)
    ioctl(WINDOW[:set], (size + [0, 0]).first(4).pack("S4"))
  end

  def iflush = __flush(0)
  def oflush = __flush(1)
  def ioflush = __flush(2)

  def beep = __control("\a")
  def cursor_up(count) = __move(count, "A", "B")
  def cursor_down(count) = __move(count, "B", "A")
  def cursor_right(count) = __move(count, "C", "D")
  def cursor_left(count) = __move(count, "D", "C")
  def goto(row, column) = __control("\e[#{Integer(row) + 1};#{Integer(column) + 1}H")
  def goto_column(column) = __control("\e[#{Integer(column) + 1}G")
  def scroll_forward(count) = count.zero? ? self : __control("\e[#{count.abs}#{count.negative? ? "T" : "S"}")
  def scroll_backward(count) = scroll_forward(-count)
  def clear_screen = erase_screen(2).goto(0, 0)

  def erase_line(mode)
    raise ArgumentError, "wrong line erase mode: #{mode}" unless (0..2).cover?(mode)
    __control("\e[#{mode}K")
  end
  def erase_screen(mode)
    raise ArgumentError, "wrong screen erase mode: #{mode}" unless (0..3).cover?(mode)
    __control("\e[#{mode}J")
  end

  # Row and column, which the terminal tells when it is asked.
  def cursor
    answer = raw do
      syswrite("\e[6n")
      text = +""
      text << getc.to_s until text.end_with?("R") || text.bytesize > 32
      text
    end
    answer[/\e\[\d+;\d+R/]&.scan(/\d+/)&.map { |number| number.to_i - 1 }
  end
  def cursor=(place)
    place = place.to_ary
    raise ArgumentError, "expected 2D coordinate" unless place.size == 2
    goto(*place)
  end

  def pressed?(*) = raise(NotImplementedError, "pressed?() function is unimplemented on this machine")
  def check_winsize_changed = raise(NotImplementedError, "check_winsize_changed() function is unimplemented on this machine")

  private

  def __change_mode
    mode = console_mode
    yield mode
    mode.__set(self)
    self
  end

  # Runs the block in other modes.
  def __in_mode(change)
    before = console_mode
    change.call(after = before.dup)
    after.__set(self)
    begin
      yield
    ensure
      before.__set(self)
    end
  end

  def __flush(which)
    ioctl(FLUSH, which)
    self
  end

  def __control(text)
    write(text)
    flush
    self
  end

  def __move(count, letter, back)
    return self if count.zero?
    __control("\e[#{count.abs}#{count.negative? ? back : letter}")
  end
end
