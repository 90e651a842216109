require "io/console"

class IO
  # Rows and columns that LINES and COLUMNS name, 25 and 80 without them.
  def self.default_console_size = [ENV["LINES"].to_i.nonzero? || 25, ENV["COLUMNS"].to_i.nonzero? || 80]

  def self.console_size
    console ? console.winsize : default_console_size
  end
end
