# RubyVM::InstructionSequence: code that is compiled by itself. There are no instructions to look at: a sequence is its source with its place.
class RubyVM::InstructionSequence
  OPTIONS = {
    inline_const_cache: true,
    peephole_optimization: true,
    tailcall_optimization: false,
    specialized_instruction: true,
    operands_unification: true,
    instructions_unification: false,
    stack_caching: false,
    frozen_string_literal: false,
    debug_frozen_string_literal: false,
    coverage_enabled: true,
    debug_level: 0,
  }
  private_constant :OPTIONS
  HEADER = "YARB rchef 1\n"
  private_constant :HEADER
  @options = OPTIONS

  class << self
    def compile_option = @options.dup

    # Nothing is compiled differently, but for frozen literals; the options are only kept.
    def compile_option=(options)
      case options
      when nil, true then @options = OPTIONS
      when false then @options = OPTIONS.transform_values { |value| value == true ? false : value }
      when Hash then @options = @options.merge(options)
      else raise TypeError, "Compile option must be Hash/true/false/nil"
      end
    end

    def compile(source, file = nil, path = nil, line = 1, opt = nil, **options)
      source = source.read if source.is_a?(File)
      new(source, file, path, line, opt, **options)
    end

    def compile_file(file, opt = nil, **options)
      file = file.to_path if file.respond_to?(:to_path)
      new(File.binread(file).force_encoding(Encoding::UTF_8), file, File.expand_path(file), 1, opt, **options, label: "<main>")
    end

    def of(body)
      case body
      when Proc, Method, UnboundMethod
        place = body.source_location or return
        node = begin
          RubyVM::AbstractSyntaxTree.of(body, keep_script_lines: true)
        rescue ArgumentError, SystemCallError
          nil
        end
        label = body.is_a?(Proc) ? "block in <main>" : body.name.to_s
        allocate.tap { |made| made.__send__(:describe, node&.source, place.first, place.first, place.last, label) }
      else
        raise TypeError, "wrong argument type #{body.class} (expected Proc/Method/UnboundMethod)"
      end
    end

    def disasm(body) = of(body)&.disasm
    alias disassemble disasm

    def load_from_binary(binary)
      binary = String.try_convert(binary) or raise TypeError, "no implicit conversion into String"
      raise RuntimeError, "unknown binary format" unless binary.b.start_with?(HEADER)
      source, file, path, line, label = Marshal.load(binary.byteslice(HEADER.bytesize..))
      new(source, file, path, line, label: label)
    end

    def load_from_binary_extra_data(binary) = Marshal.load(binary.byteslice(HEADER.bytesize..))[5]
  end

  attr_reader :path, :absolute_path, :first_lineno, :label

  def initialize(source, file = nil, path = nil, line = 1, opt = nil, label: "<compiled>", **options)
    source = String.try_convert(source) or raise TypeError, "wrong argument type #{source.class} (expected String)"
    file = file.nil? ? "<compiled>" : (file.respond_to?(:to_path) ? file.to_path : file.to_str)
    path = path.respond_to?(:to_path) ? path.to_path : path
    RubyVM::AbstractSyntaxTree.__send__(:__check, source, file, line || 1)
    options = opt if opt.is_a?(Hash)
    frozen = options.fetch(:frozen_string_literal, self.class.compile_option[:frozen_string_literal])
    @frozen = frozen == true
    describe(source, file, path, line || 1, label)
  end

  def base_label = label

  # Runs the code at the top level.
  def eval
    source = @frozen ? "# frozen_string_literal: true\n#{@source}" : @source
    TOPLEVEL_BINDING.dup.eval(source, @path, @frozen ? @first_lineno - 1 : @first_lineno)
  end

  def script_lines = nil

  def to_binary(extra = nil)
    raise RuntimeError, "should not compile with tailcall optimization" if @source.nil?
    HEADER.b + Marshal.dump([@source, @path, @absolute_path, @first_lineno, @label, extra])
  end

  def inspect = "<RubyVM::InstructionSequence:#{@label}@#{@path}:#{@first_lineno}>"

  def each_child = self
  def trace_points = []

  %i[disasm disassemble to_a].each do |name|
    define_method(name) do
      raise NotImplementedError, "RubyVM::InstructionSequence##{name} is unimplemented on this machine: there are no instructions"
    end
  end

  private

  def describe(source, file, path, line, label)
    @source, @path, @absolute_path, @first_lineno, @label = source, file, path, line, label
  end
end
