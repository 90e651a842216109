require "prettyprint"

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
      # what a delegator stands for is what may come again
      object = object.__getobj__ if defined?(::Delegator) && ::Delegator === object
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
        # a Hash of keywords among the items stays a Hash
        yield(*items, **{})
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
      begin
        inspect_method = Kernel.instance_method(:method).bind_call(self, :inspect)
      rescue NameError
        # undefined, or answered by method_missing
      end
      if inspect_method ? inspect_method.owner != Kernel && !inspect_method.owner.equal?(PP::ObjectMixin) : respond_to?(:inspect)
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
    printer.group(1, format("#<struct %s", PP.mcall(self, Kernel, :class).name), ">") do
      printer.seplist(PP.mcall(self, Struct, :members), lambda { printer.text(",") }) do |member|
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
