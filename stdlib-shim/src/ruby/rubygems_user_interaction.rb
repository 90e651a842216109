# What RubyGems says to its user, and asks.
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
    def verbose(message = nil) = say(message || yield)
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

    def terminate_interaction(status = 0)
      close
      exit(status)
    end
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
