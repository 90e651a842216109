# What RubyGems says to its user, and asks.
require "rubygems/exceptions"
module Gem
  module DefaultUserInteraction
    @ui = nil

    class << self
      def ui = @ui ||= Gem::ConsoleUI.new
      attr_writer :ui

      def use_ui(ui)
        former, @ui = @ui, ui
        yield
      ensure
        @ui = former
      end
    end

    def ui = DefaultUserInteraction.ui
    def ui=(ui)
      DefaultUserInteraction.ui = ui
    end
    def use_ui(ui, &block) = DefaultUserInteraction.use_ui(ui, &block)
  end

  module UserInteraction
    include DefaultUserInteraction

    %i(alert alert_error alert_warning ask ask_for_password ask_yes_no choose_from_list say terminate_interaction).each do |name|
      define_method(name) { |*words| ui.__send__(name, *words) }
    end
  end

  class StreamUI
    attr_reader :ins, :outs, :errs

    def initialize(ins, outs, errs = $stderr, usetty = true)
      @ins = ins
      @outs = outs
      @errs = errs
      @usetty = usetty
    end

    def tty? = @usetty && @ins.tty?

    def choose_from_list(question, list)
      @outs.puts(question)
      list.each.with_index(1) { |item, number| @outs.puts(" #{number}. #{item}") }
      @outs.print("> ")
      @outs.flush
      answer = @ins.gets
      return nil, nil unless answer
      number = answer.strip.to_i - 1
      [list[number], number]
    end

    def ask(question)
      return unless tty?
      @outs.print("#{question}  ")
      @outs.flush
      @ins.gets&.chomp
    end
    alias ask_for_password ask

    def say(statement = "") = @outs.puts(statement)

    def alert(statement, question = nil) = told(@outs, "INFO:  #{statement}", question)
    def alert_warning(statement, question = nil) = told(@errs, "WARNING:  #{statement}", question)
    def alert_error(statement, question = nil) = told(@errs, "ERROR:  #{statement}", question)

    def close = nil

    private

    def told(stream, line, question)
      stream.puts(line)
      ask(question) if question
    end
  end

  class ConsoleUI < StreamUI
    def initialize = super($stdin, $stdout, $stderr, true)
  end
end

# A user interface that says nothing and answers nothing.
class Gem::SilentUI < Gem::StreamUI
  def initialize
    super(File.open(File::NULL, "r"), File.open(File::NULL, "w"), File.open(File::NULL, "w"), false)
  end

  def close
    [@ins, @outs, @errs].each(&:close)
  end
end

# The rest of what RubyGems' user interfaces do.
module Gem
  module UserInteraction
    include Text

    def ask_yes_no(question, default = nil) = ui.ask_yes_no(question, default)
    # What only a user sees who wants to know all.
    def verbose(message = nil)
      say(clean_text(message || yield)) if Gem.configuration.really_verbose
    end
  end

  class StreamUI
    # Where an error came from, if the configuration wants that.
    def backtrace(error)
      @errs.puts("\t#{Array(error.backtrace).join("\n\t")}") if Gem.configuration.backtrace
    end

    # Asks until the answer is one; gives the default where nobody is there to answer.
    def ask_yes_no(question, default = nil)
      unless tty?
        raise OperationNotSupportedError, "Not connected to a tty and no default specified" if default.nil?
        return default
      end
      choice = default.nil? ? "yn" : (default == true ? "Yn" : "yN")
      loop do
        case ask("#{question} [#{choice}]")
        when /\Ay/i then return true
        when /\An/i then return false
        when /\A\z/ then return default unless default.nil?
        end
      end
    end

    def terminate_interaction(status = 0)
      close
      raise SystemExitException, status
    end
  end
end
