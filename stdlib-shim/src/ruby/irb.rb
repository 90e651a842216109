require "ripper"

# A console: expressions are read from standard input, evaluated in one binding, and their values shown.
module IRB
  VERSION = "1.4.1"
  Abort = Class.new(Exception)

  @CONF = {}
  class << self
    def conf = @CONF
    def version = "irb #{VERSION}"

    # Settings of a start; programs call it alone where files are about to be out of reach.
    def setup(ap_path, argv: ::ARGV)
      @CONF[:VERSION] = version
      @CONF[:AP_NAME] = ap_path && File.basename(ap_path, ".rb")
      @CONF[:IRB_NAME] = "irb"
      @CONF[:ECHO] = true unless @CONF.key?(:ECHO)
      @CONF[:ECHO] = false if argv.include?("--noecho")
      nil
    end

    def start(ap_path = nil)
      setup(ap_path)
      Irb.new.run(@CONF)
    end

    def CurrentContext = @CONF[:MAIN_CONTEXT]
  end

  # The binding of a console and its last value.
  class WorkSpace
    attr_reader :binding

    def initialize(*main)
      @binding = main.first.is_a?(Binding) ? main.first : TOPLEVEL_BINDING
    end

    def main = binding.receiver
  end

  class Context
    attr_reader :workspace, :last_value, :thread
    attr_accessor :echo, :irb_name, :irb_path

    def initialize(workspace)
      @workspace = workspace
      @thread = Thread.current
      @irb_path = "(irb)"
      @echo = IRB.conf.fetch(:ECHO, true)
      @irb_name = "irb"
    end

    def evaluate(text, line)
      set_last_value(workspace.binding.eval(text, irb_path, line))
    end

    def set_last_value(value)
      @last_value = value
      workspace.binding.local_variable_set(:_, value)
    end

    def main = workspace.main
    def inspect_last_value = last_value.inspect
  end

  class Irb
    attr_reader :context

    def initialize(workspace = nil, input = $stdin, output = $stdout)
      @context = Context.new(workspace || WorkSpace.new)
      @input = input
      @output = output
      @line = 1
    end

    def run(conf = IRB.conf)
      conf[:MAIN_CONTEXT] = context
      catch(:IRB_EXIT) { eval_input }
    end

    def eval_input
      text = +""
      first = @line
      while (read = ask(text))
        @line += 1
        text << read
        next if text.strip.empty? || unfinished?(text)
        throw :IRB_EXIT if %w(exit quit).include?(text.strip)
        show(text, first)
        text = +""
        first = @line
      end
    end

    private

    def ask(text)
      @output.print(format("%s(%s):%03d:%d%s ", context.irb_name, context.workspace.main, @line, 0, text.empty? ? ">" : "*"))
      @output.flush
      @input.gets
    end

    def unfinished?(text) = Ripper::Native.error(text, "(irb)", 1)&.first&.match?(/end-of-input|meets end of file/)

    def show(text, line)
      value = context.evaluate(text, line)
      @output.puts("=> #{value.inspect}") if context.echo
    rescue StandardError, ScriptError => error
      @output.puts(error.full_message(highlight: false))
    end
  end
end

class Binding
  def irb
    IRB.setup(source_location[0], argv: [])
    IRB::Irb.new(IRB::WorkSpace.new(self)).run
  end
end
