# Readline on a stream: a line is read with its prompt shown; there is no editing, and the history is what was read.
module Readline
  VERSION = "1.0 (line by line)"

  # Lines that were read.
  module History
    LINES = []
    private_constant :LINES

    class << self
      include Enumerable

      def to_s = "HISTORY"
      def each(&block) = block ? LINES.each(&block) : LINES.each
      def push(*lines) = lines.each { |line| self << line } && self
      def [](index) = LINES.fetch(index) { raise IndexError, "invalid index" }
      def []=(index, line)
        self[index]
        LINES[index] = String.new(line)
      end

      def <<(line)
        LINES << String.new(line)
        self
      end

      def pop = LINES.pop
      def shift = LINES.shift
      def delete_at(index) = LINES.delete_at(index)
      def clear = LINES.clear && self
      def length = LINES.length
      alias size length
      def empty? = LINES.empty?
    end
  end
  HISTORY = History

  class << self
    attr_accessor :input, :output, :completion_proc, :completion_case_fold, :completion_append_character, :basic_word_break_characters, :completer_word_break_characters, :pre_input_hook

    # The next line without its end; nil at the end of the input.
    def readline(prompt = "", add_history = false)
      to = output || $stdout
      to.print(prompt)
      to.flush
      line = (input || $stdin).gets
      return unless line
      line = line.chomp
      HISTORY << line if add_history
      line
    end

    def vi_editing_mode? = false
    def emacs_editing_mode? = true
  end
end
