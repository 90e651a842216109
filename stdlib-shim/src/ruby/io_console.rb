# The size of the terminal.
require "io/console/native"

class IO
  # The terminal of the process, or nil when it has none.
  def self.console(*)
    @console = nil if defined?(@console) && @console&.closed?
    @console ||= File.open("/dev/tty", "r+")
  rescue SystemCallError
    nil
  end
end
