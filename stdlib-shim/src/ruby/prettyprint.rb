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
    @column = 0
    @waits = false
    @groups = [Group.new([])]
  end

  def current_group = @groups.last

  # What comes before the first breakable is written at once: nothing can change where it stands.
  def text(object, width = object.length)
    if @waits
      current_group.items << Text.new(object, width)
    else
      @output << object
      @column += width
    end
    nil
  end

  def breakable(separator = " ", width = separator.length) = wait(separator, width, false)
  def fill_breakable(separator = " ", width = separator.length) = wait(separator, width, true)

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
    items = @groups.first.items
    write(items, !fits?(items, 0), 0)
    @groups = [Group.new([])]
    @waits = false
    nil
  end

  private

  def wait(separator, width, fill)
    @waits = true
    current_group.items << Break.new(separator, width, @indent, fill)
    nil
  end

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
