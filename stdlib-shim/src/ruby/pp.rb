# Lays out nested text in lines of at most so many columns: a group that does not fit breaks at all its breakables.
class PrettyPrint
  def self.format(output = "".dup, maxwidth = 79, newline = "\n", genspace = lambda { |count| " " * count })
    printer = new(output, maxwidth, newline, &genspace)
    yield printer
    printer.flush
    output
  end

  def self.singleline_format(output = "".dup, _maxwidth = nil, _newline = nil, _genspace = nil)
    printer = SingleLine.new(output)
    yield printer
    output
  end

  Text = Struct.new(:text, :width)
  Break = Struct.new(:text, :width, :indent, :fill)
  Group = Struct.new(:items)
  private_constant :Text, :Break, :Group

  attr_reader :output, :maxwidth, :newline, :genspace, :indent

  def initialize(output = "".dup, maxwidth = 79, newline = "\n", &genspace)
    @output = output
    @maxwidth = maxwidth
    @newline = newline
    @genspace = genspace || lambda { |count| " " * count }
    @indent = 0
    @groups = [Group.new([])]
  end

  def current_group = @groups.last

  def text(object, width = object.length)
    current_group.items << Text.new(object, width)
    nil
  end

  def breakable(separator = " ", width = separator.length)
    current_group.items << Break.new(separator, width, @indent, false)
    nil
  end

  def fill_breakable(separator = " ", width = separator.length)
    current_group.items << Break.new(separator, width, @indent, true)
    nil
  end

  def group(indent = 0, open_obj = "", close_obj = "", open_width = open_obj.length, close_width = close_obj.length)
    text(open_obj, open_width) unless open_obj.empty?
    made = Group.new([])
    current_group.items << made
    @groups << made
    begin
      nest(indent) { yield }
    ensure
      @groups.pop
    end
    text(close_obj, close_width) unless close_obj.empty?
  end

  def nest(indent)
    @indent += indent
    begin
      yield
    ensure
      @indent -= indent
    end
  end

  def flush
    @column = 0
    items = @groups.first.items
    write(items, !fits?(items, 0), 0)
    @groups = [Group.new([])]
    nil
  end

  private

  def write(items, broken, trailing)
    items.each_with_index do |item, index|
      case item
      when Text
        @output << item.text
        @column += item.width
      when Group
        after = text_after(items, index + 1, trailing)
        write(item.items, !fits?(item.items, after), after)
      else
        if item.fill ? @column + item.width + text_after(items, index + 1, trailing) > @maxwidth : broken
          @output << @newline << @genspace.call(item.indent)
          @column = item.indent
        else
          @output << item.text
          @column += item.width
        end
      end
    end
  end

  # The width of what must stay on the line after a place of a group.
  def text_after(items, index, trailing)
    width = 0
    (index...items.size).each do |at|
      item = items[at]
      return width if item.is_a?(Break)
      part, complete = item.is_a?(Group) ? leading(item.items) : [item.width, true]
      width += part
      return width unless complete
    end
    width + trailing
  end

  def leading(items)
    width = 0
    items.each do |item|
      return [width, false] if item.is_a?(Break)
      part, complete = item.is_a?(Group) ? leading(item.items) : [item.width, true]
      width += part
      return [width, false] unless complete
    end
    [width, true]
  end

  def fits?(items, trailing)
    room = @maxwidth - @column - trailing
    flat(items) { |width| return false if (room -= width) < 0 }
    true
  end

  def flat(items, &block)
    items.each { |item| item.is_a?(Group) ? flat(item.items, &block) : yield(item.width) }
  end

  # Everything on one line.
  class SingleLine
    attr_reader :output

    def initialize(output, *) = @output = output
    def text(object, _width = nil) = (@output << object; nil)
    def breakable(separator = " ", _width = nil) = @output << separator
    alias fill_breakable breakable
    def nest(_indent) = yield

    def group(_indent = nil, open_obj = "", close_obj = "", _open_width = nil, _close_width = nil)
      @output << open_obj
      yield
      @output << close_obj
    end

    def flush = nil
    def first? = false
  end
end

class PP < PrettyPrint
  def self.width_for(out)
    columns = out.winsize[1] if out.respond_to?(:winsize) && out.tty?
    (columns || ENV["COLUMNS"]&.to_i&.nonzero? || 80) - 1
  rescue StandardError
    79
  end

  def self.pp(object, out = $stdout, width = width_for(out))
    printer = new(out, width)
    printer.guard_inspect_key { printer.pp(object) }
    printer.flush
    out << "\n"
  end

  def self.singleline_pp(object, out = $stdout)
    printer = SingleLine.new(out)
    printer.guard_inspect_key { printer.pp(object) }
    printer.flush
    out
  end

  def self.mcall(object, mod, name, *args, &block) = mod.instance_method(name).bind_call(object, *args, &block)

  class << self
    attr_accessor :sharing_detection
  end

  module PPMethods
    def guard_inspect_key
      before = @pp_path
      @pp_path = {}.compare_by_identity
      yield
    ensure
      @pp_path = before
    end

    def check_inspect_key(object) = @pp_path&.key?(object)
    def push_inspect_key(object) = (@pp_path ||= {}.compare_by_identity)[object] = true
    def pop_inspect_key(object) = @pp_path&.delete(object)

    def pp(object)
      return group { object.pretty_print_cycle(self) } if check_inspect_key(object)
      push_inspect_key(object)
      begin
        group { object.pretty_print(self) }
      rescue NoMethodError
        raise if Kernel.instance_method(:respond_to?).bind_call(object, :pretty_print)
        text(Kernel.instance_method(:inspect).bind_call(object))
      ensure
        pop_inspect_key(object)
      end
    end

    def object_group(object, &block) = group(1, "#<#{object.class.name}", ">", &block)

    def object_address_group(object, &block)
      group(1, Kernel.instance_method(:to_s).bind_call(object).chomp(">"), ">", &block)
    end

    def comma_breakable
      comma = ","
      text(comma)
      breakable
    end

    def seplist(list, separator = nil, iterator = :each)
      separator ||= lambda { comma_breakable }
      first = true
      list.__send__(iterator) do |*items|
        first ? first = false : separator.call
        yield(*items)
      end
    end

    def pp_object(object)
      object_address_group(object) do
        seplist(object.pretty_print_instance_variables, lambda { text(",") }) do |name|
          breakable
          text(name.to_s)
          text("=")
          group(1) do
            breakable("")
            pp(object.instance_eval(name.to_s))
          end
        end
      end
    end

    def pp_hash(object)
      group(1, "{", "}") do
        seplist(object, nil, :each_pair) do |key, value|
          group do
            pp(key)
            text("=>")
            group(1) do
              breakable("")
              pp(value)
            end
          end
        end
      end
    end
  end
  include PPMethods

  class SingleLine < PrettyPrint::SingleLine
    include PPMethods
  end

  module ObjectMixin
    def pretty_print(printer)
      inspect_method = Kernel.instance_method(:method).bind_call(self, :inspect)
      if inspect_method.owner != Kernel && !inspect_method.owner.equal?(PP::ObjectMixin)
        printer.text(inspect)
      elsif pretty_print_instance_variables.empty?
        printer.text(inspect)
      else
        printer.pp_object(self)
      end
    end

    def pretty_print_cycle(printer)
      printer.object_address_group(self) do
        printer.breakable
        printer.text("...")
      end
    end

    def pretty_print_instance_variables = instance_variables.sort

    def pretty_print_inspect
      raise "pretty_print is not overridden for #{self.class}" if method(:pretty_print).owner == PP::ObjectMixin
      PP.singleline_pp(self, "".dup)
    end
  end
end

class Object
  include PP::ObjectMixin
end

class Array
  def pretty_print(printer) = printer.group(1, "[", "]") { printer.seplist(self) { |item| printer.pp(item) } }
  def pretty_print_cycle(printer) = printer.text(empty? ? "[]" : "[...]")
end

class Hash
  def pretty_print(printer) = printer.pp_hash(self)
  def pretty_print_cycle(printer) = printer.text(empty? ? "{}" : "{...}")
end

class Struct
  def pretty_print(printer)
    printer.group(1, format("#<struct %s", self.class.name), ">") do
      printer.seplist(members, lambda { printer.text(",") }) do |member|
        printer.breakable
        printer.text(member.to_s)
        printer.text("=")
        printer.group(1) do
          printer.breakable("")
          printer.pp(self[member])
        end
      end
    end
  end

  def pretty_print_cycle(printer) = printer.text(format("#<struct %s:...>", self.class.name))
end

class Range
  def pretty_print(printer)
    printer.pp(self.begin) if self.begin
    printer.breakable("")
    printer.text(exclude_end? ? "..." : "..")
    printer.breakable("")
    printer.pp(self.end) if self.end
  end
end

class String
  def pretty_print(printer)
    parts = lines
    return printer.text(inspect) unless parts.size > 1
    printer.group(0, "", "") do
      printer.seplist(parts, lambda { printer.text(" +"); printer.breakable }) { |part| printer.pp(part) }
    end
  end
end

class MatchData
  def pretty_print(printer)
    names = regexp.names
    printer.object_group(self) do
      printer.breakable
      printer.seplist(0...size, lambda { printer.breakable }) do |index|
        if index == 0
          printer.pp(self[index])
        else
          printer.text(names[index - 1] || index.to_s)
          printer.text(":")
          printer.pp(self[index])
        end
      end
    end
  end
end

[Numeric, Symbol, FalseClass, TrueClass, NilClass, Module].each do |klass|
  klass.class_eval do
    def pretty_print_cycle(printer) = printer.text(inspect)
  end
end
[Numeric, FalseClass, TrueClass, Module].each do |klass|
  klass.class_eval do
    def pretty_print(printer) = printer.text(inspect)
  end
end

module Kernel
  def pretty_inspect = PP.pp(self, "".dup)

  def pp(*objects)
    objects.each { |object| PP.pp(object) }
    objects.size <= 1 ? objects.first : objects
  end
  module_function :pp
end
