# Reline on a stream: a line is read with its prompt shown. There is no editing: what would be set for it is kept and given back.
require "io/console"

module Reline
  VERSION = "0.3.0"
  FILENAME_COMPLETION_PROC = nil
  USERNAME_COMPLETION_PROC = nil

  class ConfigEncodingConversionError < StandardError; end
  Key = Struct.new(:char, :combined_char, :with_meta)
  CursorPos = Struct.new(:x, :y)
  DialogRenderInfo = Struct.new(:pos, :contents, :bg_color, :width, :height, :scrollbar, keyword_init: true)

  # Lines that were read.
  class History < Array
    def to_s = "HISTORY"
    def delete_at(index) = super(checked(index))
    def [](index) = super(checked(index))
    def []=(index, line)
      super(checked(index), String.new(line))
    end

    def push(*lines)
      super(*lines.map { |line| String.new(line) })
    end

    def concat(*lists)
      lists.each { |lines| push(*lines) }
      self
    end

    def <<(line)
      super(String.new(line))
    end

    private

    def checked(index)
      raise RangeError, "integer #{index} too big to convert to `int'" if index.is_a?(Integer) && !index.bit_length.between?(0, 31)
      index += size if index < 0
      raise IndexError, "index=<#{index}>" unless index.between?(0, size - 1)
      index
    end
  end

  # What Reline is set to, and the reading of lines.
  class Core
    BREAKS = " \t\n`><=;|&{("
    CHARACTERS = { basic_word_break_characters: BREAKS, completer_word_break_characters: BREAKS, basic_quote_characters: "\"'", completer_quote_characters: "\"'", filename_quote_characters: "", special_prefixes: "" }.freeze
    PROCS = %i(completion_proc output_modifier_proc prompt_proc auto_indent_proc dig_perfect_match_proc).freeze
    OTHER = %i(pre_input_hook completion_case_fold autocompletion last_incremental_search).freeze
    private_constant :BREAKS, :CHARACTERS, :PROCS, :OTHER
    attr_reader :output, :completion_append_character, :completion_quote_character, *CHARACTERS.keys, *PROCS, *OTHER
    attr_writer(*OTHER)

    def initialize
      CHARACTERS.each { |name, characters| instance_variable_set(:"@#{name}", characters.dup) }
      @autocompletion = false
      @vi = false
      @dialogs = {}
    end

    CHARACTERS.each_key { |name| define_method(:"#{name}=") { |characters| instance_variable_set(:"@#{name}", characters.encode(encoding)) } }
    PROCS.each do |name|
      define_method(:"#{name}=") do |given|
        raise ArgumentError unless given.nil? || given.respond_to?(:call)
        instance_variable_set(:"@#{name}", given)
      end
    end

    # Its first character; nil for none.
    def completion_append_character=(characters)
      @completion_append_character = characters.nil? || characters.empty? ? nil : characters[0].encode(encoding)
    end

    def input=(stream)
      raise TypeError unless stream.respond_to?(:getc) || stream.nil?
      @input = stream
    end

    def output=(stream)
      raise TypeError unless stream.respond_to?(:write) || stream.nil?
      @output = stream
    end

    def add_dialog_proc(name, dialog, context = nil)
      raise ArgumentError unless dialog.respond_to?(:call) && name.is_a?(Symbol)
      @dialogs[name] = DialogProc.new(dialog, context)
    end
    DialogProc = Struct.new(:dialog_proc, :context)
    def dialog_proc(name) = @dialogs[name]

    def vi_editing_mode
      @vi = true
      nil
    end

    def emacs_editing_mode
      @vi = false
      nil
    end

    def vi_editing_mode? = @vi
    def emacs_editing_mode? = !@vi
    def ambiguous_width = $stdout.tty? ? 1 : 2
    def encoding = Encoding.default_external
    def get_screen_size = $stdout.tty? ? IO.console.winsize : [1, 1]

    # The next line without its end; nil at the end of the input.
    def readline(prompt = "", add_hist = false)
      line = shown(prompt)&.chomp
      HISTORY << line if add_hist && line && !line.empty?
      line
    end

    # Lines until the block holds for what has been read; nil at the end of the input.
    def readmultiline(prompt = "", add_hist = false)
      raise ArgumentError, "#readmultiline needs block to confirm multiline termination" unless block_given?
      text = nil
      while (line = shown(prompt))
        text = (text || "") + line
        break if yield(text.end_with?("\n") ? text : "#{text}\n")
      end
      text = text&.chomp
      HISTORY << text if add_hist && text && !text.empty?
      text
    end

    private

    def shown(prompt)
      stream = @output || $stdout
      stream.write(prompt)
      stream.flush if stream.respond_to?(:flush)
      @pre_input_hook&.call
      (@input || $stdin).gets
    end
  end

  HISTORY = History.new
  @core = Core.new
  SETTINGS = Core.public_instance_methods(false) - %i(output encoding)
  private_constant :SETTINGS

  class << self
    attr_reader :core

    SETTINGS.each { |name| define_method(name) { |*args, &block| core.__send__(name, *args, &block) } }

    def encoding_system_needs = core.encoding
    def line_buffer = ""
    def point = 0
    def eof? = false
    def insert_text(_text) = self
    def delete_text(_start = nil, _length = nil) = nil
    def redisplay = nil
  end
end
