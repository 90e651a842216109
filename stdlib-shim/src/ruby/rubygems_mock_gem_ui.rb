require "stringio"
require "rubygems/user_interaction"

# An interface of RubyGems for tests: its user is a text, and what is said is kept.
class Gem::MockGemUi < Gem::StreamUI
  class InputEOFError < RuntimeError
    def initialize(question) = super("Out of input for MockGemUi on #{question.inspect}")
  end

  class TermError < RuntimeError
    attr_reader :exit_code

    def initialize(exit_code)
      super
      @exit_code = exit_code
    end
  end
  class SystemExitException < RuntimeError; end

  # A stream that is taken for a terminal, unless a test says otherwise.
  module TTY
    attr_writer :tty

    def tty? = @tty.nil? || @tty
    def noecho = yield(self)
  end

  def initialize(input = "")
    @terminated = false
    super(*[input, +"", +""].map { |text| StringIO.new(text).extend(TTY) }, true)
  end

  def ask(question)
    raise InputEOFError, question if @ins.eof?
    @outs.print("#{question}  ")
    @ins.gets.chomp
  end

  def tty? = true
  def input = @ins.string
  def output = @outs.string
  def error = @errs.string
  def terminated? = @terminated

  def terminate_interaction(status = 0)
    @terminated = true
    raise TermError, status unless status == 0
    raise SystemExitException
  end
end
