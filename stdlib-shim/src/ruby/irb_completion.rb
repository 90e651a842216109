require "irb"

# What a word at the end of a console's line may become. Names are looked up in the console's binding; nothing is called to find out.
module IRB
  module InputCompletor
    BASIC_WORD_BREAK_CHARACTERS = " \t\n`><=;|&{("
    ReservedWords = %w(__ENCODING__ __LINE__ __FILE__ BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue
      retry return self super then true undef unless until when while yield).freeze
    Operators = %w(% & * ** + - / < << <= <=> == === =~ > >= >> [] []= ^ ! != !~).freeze
    # Literals that can stand before a dot, by what they begin or are, with the class of their values.
    LITERALS = { /\A(?:"[^"]*"|'[^']*'|%q?\([^)]*\))\z/i => String, /\A\/[^\/]*\/\z/ => Regexp, /\A\[.*\]\z/m => Array, /\A\{.*\}\z/m => Hash, /\A:\w+\z/ => Symbol, /\A-?\d+\z/ => Integer,
                 /\A-?\d+\.\d+(?:e[-+]?\d+)?\z/i => Float, "nil" => NilClass, "true" => TrueClass, "false" => FalseClass }.freeze
    NAME = /\A(?:[a-z_]\w*|[@$]+\w+|self|(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)\z/
    private_constant :LITERALS, :NAME

    class << self
      def retrieve_completion_data(input, bind: IRB.conf[:MAIN_CONTEXT].workspace.binding)
        case input
        when /\A(.+)(::)([^:.]*)\z/m then after(bind, $1, $2, $3, constants: true)
        when /\A(.+?)(&?\.)([^.]*)\z/m then after(bind, *numeric($1, $2, $3))
        when /\A(:)(\w*)\z/ then Symbol.all_symbols.map { |name| ":#{name}" }.select { |each| each.start_with?(input) && each.match?(/\A:[\w?!=]+\z/) }
        when /\A::(\w*)\z/ then Object.constants.map { |name| "::#{name}" }.select { |each| each.start_with?(input) }
        when /\A\$/ then global_variables.map(&:to_s).select { |each| each.start_with?(input) }
        when /\A@@/ then bind.eval("self.class.class_variables").map(&:to_s).select { |each| each.start_with?(input) }
        when /\A@/ then bind.receiver.instance_variables.map(&:to_s).select { |each| each.start_with?(input) }
        when /\A\w*[?!]?\z/ then words(bind).select { |each| each.start_with?(input) }
        else []
        end
      end

      private

      # The first dot of a number is part of it.
      def numeric(receiver, dot, rest)
        receiver.match?(/\A-?\d+\z/) && rest.match?(/\A\d+\.\w*\z/) ? ["#{receiver}.#{rest[/\A\d+/]}", ".", rest[/\w*\z/]] : [receiver, dot, rest]
      end

      def words(bind)
        names = bind.local_variables + bind.receiver.methods + bind.receiver.private_methods + Object.constants
        (names.map(&:to_s) + ReservedWords).uniq.grep(/\A[\w]/)
      end

      def after(bind, receiver, dot, start, constants: false)
        names = literal_methods(receiver) || known_methods(bind, receiver, constants)
        names.map(&:to_s).uniq.select { |name| name.start_with?(start) && !Operators.include?(name) }.map { |name| "#{receiver}#{dot}#{name}" }
      end

      def literal_methods(receiver) = LITERALS.find { |form, _| form === receiver }&.last&.instance_methods

      # The methods of what a name stands for; none if it is no name, or would call something.
      def known_methods(bind, receiver, constants)
        return [] if !NAME.match?(receiver) || bind.eval("defined?(#{receiver})").to_s.match?(/method|\A\z/)
        value = bind.eval(receiver)
        constants && value.is_a?(Module) ? value.methods + value.constants : value.methods
      end
    end

    CompletionProc = lambda { |input, *_around| retrieve_completion_data(input).compact }
    PerfectMatchedProc = lambda { |_name, bind: nil| }
  end
end
