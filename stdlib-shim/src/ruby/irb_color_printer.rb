# IRB::ColorPrinter: `pp` with the colours of IRB::Color.
require "pp"
require "irb/color"

module IRB
  class ColorPrinter < ::PP
    # The width of a terminal that does not tell it.
    WIDTH = 79
    private_constant :WIDTH

    class << self
      def pp(obj, out = $>, width = screen_width)
        printer = new(out, width)
        printer.guard_inspect_key { printer.pp(obj) }
        printer.flush
        out << "\n"
      end

      private

      def screen_width
        require "io/console"
        IO.console_size.last
      rescue SystemCallError
        WIDTH
      end
    end

    # A String stays on one line.
    def pp(obj) = obj.is_a?(String) ? text(obj.inspect) : super

    def text(obj, width = nil)
      text = obj.is_a?(String) ? obj : obj.inspect
      shown = text.start_with?("#<") || %w(= >).include?(text) ? Color.colorize(text, [:GREEN]) : Color.colorize_code(text, ignore_error: true)
      super(shown, width || text.length)
    end
  end
end
