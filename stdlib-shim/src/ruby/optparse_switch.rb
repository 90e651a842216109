class OptionParser
  # Words that may be cut short as long as they stay unambiguous.
  module Completion
    def self.regexp(key, icase) = Regexp.new('\A' + Regexp.quote(key).gsub(/\w+\b/, '\&\w*'), icase)

    # `[word, value..., name]` of what the key may stand for.
    def self.candidate(key, icase = false, pattern = nil)
      pattern ||= regexp(key, icase)
      found = []
      yield(lambda do |word, *values|
        name = word.is_a?(Regexp) ? "" : (word.respond_to?(:id2name) ? word.id2name : word)
        next unless word.is_a?(Regexp) ? word === key : pattern === name
        values << word if values.empty?
        found << [word, values, name]
      end)
      found
    end

    def candidate(key, icase = false, pattern = nil) = Completion.candidate(key, icase, pattern) { |check| each { |pair| check.call(*pair) } }

    # The word that is meant and its values; the shortest wins where the others begin with it. Throws :ambiguous.
    def complete(key, icase = false, pattern = nil)
      shortest, *others = candidate(key, icase, pattern).sort_by { |_, _, name| name.size }
      return nil unless shortest
      others.each do |other|
        next if shortest[1] == other[1]
        names = [shortest[2], other[2]]
        throw(:ambiguous, key) unless names.all?(String)
        if names[0].start_with?(names[1]) then shortest = other
        elsif !names[1].start_with?(names[0]) then throw(:ambiguous, key)
        end
      end
      block_given? ? yield(key, *shortest[1]) : [key, *shortest[1]]
    end

    def convert(_option = nil, value = nil, *) = value
  end

  class OptionMap < Hash
    include Completion
  end

  # Arguments of a list of words.
  class CompletingHash < Hash
    include Completion

    def match(key)
      return [key, *fetch(key)] if key?(key)
      raise AmbiguousArgument, catch(:ambiguous) { return complete(key) }
    end
  end

  # One declared option. The subclasses differ in where the argument is.
  class Switch
    attr_reader :pattern, :conv, :short, :long, :arg, :desc, :block

    # The style that an argument as it is declared has.
    def self.guess(arg)
      style =
        case arg
        when "" then self
        when /\A=?\[/ then OptionalArgument
        when /\A\s+\[/ then PlacedArgument
        else RequiredArgument
        end
      incompatible_argument_styles(arg, style) unless self >= style
      style
    end
    def self.incompatible_argument_styles(arg, style) = raise(ArgumentError, "#{arg}: incompatible argument styles\n  #{self}, #{style}")
    def self.pattern = NilClass

    def initialize(pattern = nil, conv = nil, short = nil, long = nil, arg = nil, desc = ([] if short || long), block = nil, &given)
      @pattern, @conv, @short, @long, @arg, @desc, @block = pattern, conv, short, long, arg, desc, block || given
    end

    def switch_name = (long.first || short.first).sub(/\A-+(?:\[no-\])?/, "")
    def match_nonswitch?(text) = !short && !long && @pattern =~ text
    def add_banner(to)
      return to if @short || @long
      text = desc.join
      to << " [#{text}]..." unless text.empty?
      to
    end

    # The lines of the help: names on the left, words on the right.
    def summarize(short_done = {}, long_done = {}, width = 1, max = width - 1, indent = "", &line)
      shorts = new_names(@short, short_done)
      longs = new_names(@long, long_done)
      return if shorts.empty? && longs.empty?
      left = names_in_lines(shorts, longs, max)
      right = desc.dup
      widest = left.map(&:length).max.to_i
      while widest > width && (text = left.shift)
        widest = left.map(&:length).max.to_i if text.length == widest
        text = "#{text.ljust(width)} #{right.shift}" if text.length < width && right[0] && !right[0].empty?
        line.call(indent + text)
      end
      until left.empty? && right.empty?
        text, words = left.shift, right.shift
        text = "#{text.to_s.ljust(width)} #{words}" if words && !words.empty?
        line.call(indent + text.to_s)
      end
      self
    end

    def compsys(short_done, long_done)
      (new_names(@short, short_done) + new_names(@long, long_done)).each do |name|
        if name =~ /\A--\[no-\](.+)$/
          yield("--#{$1}", desc.join)
          yield("--no-#{$1}", desc.join)
        else
          yield(name, desc.join)
        end
      end
    end

    private

    def new_names(names, done) = (names || []).reject { |name| done.key?(name).tap { done[name] = true } }

    def names_in_lines(shorts, longs, max)
      left = [shorts.join(", ")]
      longs.each do |name|
        length = left.last.length + name.length
        length += arg.length if left.size == 1 && arg
        left << +"" unless length < max || shorts.empty?
        left.last << (left.last.empty? ? "    " : ", ") << name
      end
      left[0] << (left[1] ? arg.sub(/\A(\[?)=/, '\1') + "," : arg) if arg
      left
    end

    # What is left of the argument, and what the pattern found in it. What does not fit is told to the block.
    def parse_arg(arg)
      return [nil, [arg]] unless pattern
      found = pattern.match(arg)
      unless found
        yield(InvalidArgument, arg)
        return [arg, []]
      end
      found = found.is_a?(String) ? [found] : found.to_a
      return [nil, found] unless found[0].is_a?(String)
      raise InvalidArgument, arg unless arg.start_with?(found[0])
      return [nil, found] if found[0].length == arg.length
      yield(InvalidArgument, arg)
      [arg[found[0].length..], found]
    end

    def conv_arg(rest, found = []) = [rest, block, conv ? conv.call(*found) : proc { |value| value }.call(*found)]

    public

    class NoArgument < self
      def self.incompatible_argument_styles(*) = nil
      def self.pattern = Object
      def parse(arg, _argv)
        yield(NeedlessArgument, arg) if arg
        conv_arg(arg)
      end
    end

    class RequiredArgument < self
      def parse(arg, argv)
        raise MissingArgument if arg.nil? && argv.empty?
        conv_arg(*parse_arg(arg || argv.shift) { |*error| raise(*error) })
      end
    end

    class OptionalArgument < self
      def parse(arg, _argv, &error) = arg ? conv_arg(*parse_arg(arg, &error)) : conv_arg(arg)
    end

    # An argument that stands alone is taken unless it looks like an option.
    class PlacedArgument < self
      def parse(arg, argv, &error)
        given = arg || argv[0]
        return [nil, block, nil] if given.nil? || (!arg && given.start_with?("-"))
        found = parse_arg(given, &error)
        value = conv_arg(*found)
        found[1] && !arg ? argv.shift : value[0] = nil
        value
      end
    end
  end

  # Options by their names, and in the order of the help.
  class List
    attr_reader :atype, :short, :long, :list
    def initialize
      @atype = {}
      @short = OptionMap.new
      @long = OptionMap.new
      @list = []
    end

    def accept(type, pattern = /.*/m, &block)
      raise TypeError, "has no `match'" if pattern && !pattern.respond_to?(:match)
      pattern = type if pattern.nil? && type.respond_to?(:match)
      block ||= pattern.method(:convert).to_proc if pattern.respond_to?(:convert)
      @atype[type] = [pattern, block]
    end
    def reject(type) = @atype.delete(type)

    def prepend(*args)
      update(*args)
      @list.unshift(args[0])
    end
    def append(*args)
      update(*args)
      @list.push(args[0])
    end
    def search(kind, key)
      names = __send__(kind)
      return nil unless names.key?(key)
      block_given? ? yield(names[key]) : names[key]
    end
    def complete(kind, name, icase = false, *pattern, &block) = __send__(kind).complete(name, icase, *pattern, &block)
    def get_candidates(kind) = yield(__send__(kind).keys)
    def each_option(&block) = list.each(&block)

    # Names that a later entry has are left out of an earlier one.
    def summarize(*args, &block)
      lines = list.reverse.map do |entry|
        case entry
        when Switch then [].tap { |own| entry.summarize(*args) { |line| own << line } }
        when nil, "" then [""]
        else entry.respond_to?(:each_line) ? entry.each_line.to_a : entry.each.to_a.then { |all| all.empty? ? [""] : all }
        end
      end
      lines.reverse.flatten(1).each(&block)
    end
    def add_banner(to)
      list.each { |entry| entry.add_banner(to) if entry.respond_to?(:add_banner) }
      to
    end
    def compsys(*args, &block) = list.each { |entry| entry.compsys(*args, &block) if entry.respond_to?(:compsys) }

    private

    def update(switch, shorts, longs, negated = nil, negated_longs = nil)
      shorts&.each { |name| @short[name] = switch }
      longs&.each { |name| @long[name] = switch }
      negated_longs&.each { |name| @long[name] = negated } if negated
      used = {}.compare_by_identity
      [@short, @long].each { |names| names.each_value { |each| used[each] = true } }
      @list.delete_if { |each| each.is_a?(Switch) && !used[each] }
    end
  end
end
