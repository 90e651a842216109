require "strscan"

module OpenSSL
  class ConfigError < OpenSSLError; end

  # A configuration file as OpenSSL reads them (config(5ssl)): sections of names and values.
  class Config
    include Enumerable

    DEFAULT_CONFIG_FILE = "/usr/lib/ssl/openssl.cnf"

    class << self
      def load(...) = new(...)
      def parse(text) = allocate.tap { |config| config.__send__(:initialize_text, text) }

      # The sections as Hashes.
      def parse_config(text)
        config = parse(text)
        config.sections.to_h { |section| [section, config[section]] }
      end
    end

    def initialize(path = nil)
      @data = {}
      return unless path
      raise ConfigError, "BIO_new_file: no such file" unless File.exist?(path)
      initialize_text(File.binread(path))
    end

    def [](section) = @data[name(section)].to_h.dup

    # The value in a section, else the environment's for the section ENV, else that of the section `default`.
    def get_value(section, key)
      section, key = name(section), name(key)
      find(section, key) || find("default", key)
    end

    def sections = @data.keys

    def each
      return enum_for unless block_given?
      @data.each { |section, pairs| pairs.each { |key, value| yield [section, key, value] } }
      self
    end

    def to_s = @data.map { |section, pairs| "[ #{section} ]\n#{pairs.map { |key, value| "#{key}=#{value}\n" }.join}\n" }.join
    def inspect = "#<#{self.class} sections=#{sections.inspect}>"

    private

    def initialize_text(text)
      text = text.respond_to?(:read) ? text.read : name(text)
      @data = { "default" => {} }
      Reader.new(self, @data).read(text)
    end

    def initialize_copy(other)
      @data = other.instance_variable_get(:@data).transform_values(&:dup)
    end

    def name(value) = String.try_convert(value) || "" + value

    def find(section, key) = section == "ENV" && ENV[key] || @data.dig(section, key)

    # Reads the lines of a file into sections.
    class Reader
      NAME_PART = /[A-Za-z0-9_!%&*+,\-.\/;?@^|~]|\\./n
      NAME = /(?:#{NAME_PART})*/n
      NAME_WITH_DOLLARS = /(?:#{NAME_PART}|\$)*/n
      # `$name`, `${name}` or `$(name)`, each with or without `section::`.
      KEY = /(?:(?<section>\w*)::)?(?<name>\w*)/n
      VARIABLE_IN_BRACES = /\$(?:(?<open>\{)#{KEY}(?<close>\}?)|(?<open>\()#{KEY}(?<close>\)?))/n
      VARIABLE = /#{VARIABLE_IN_BRACES}|\$#{KEY}/n
      # each quote by itself: a back reference makes the search slow
      QUOTED = %w[" ' `].map { |quote| /#{quote}(?:\\.|[^\\#{quote}])*(?:#{quote}|\\?\z)/n }
      BEFORE_COMMENT = /\A(?:[^"'`#\\]|\\.|\\\z|#{Regexp.union(QUOTED)})*/n
      ESCAPES = { "n" => "\n", "r" => "\r", "b" => "\b", "t" => "\t" }.freeze

      # How deep files include others.
      DEEPEST = 20

      def initialize(config, data)
        @config, @data = config, data
        @dollar_in_names = false
        @depth = 0
      end

      def read(text)
        @section = "default"
        read_lines(text)
      end

      private

      def read_lines(text)
        joined = "".b
        text.b.delete_prefix("\xEF\xBB\xBF".b).each_line.with_index(1) do |line, number|
          @number = number
          line = line.sub(/[\r\n]+\z/n, "")
          joined << line
          # an odd number of backslashes goes on in the next line
          if line[/\\*\z/n].size.odd?
            joined.chop!
            next
          end
          statement(without_comment(joined).strip)
          joined = "".b
        end
        statement(without_comment(joined).strip)
      end

      def fail_with(reason) = raise(ConfigError, "error in line #{@number}: #{reason}")

      # Quotes and backslashes take the meaning from a `#`.
      def without_comment(line) = line[BEFORE_COMMENT]

      def statement(line)
        return if line.empty?
        if line.start_with?("[")
          title = line[/\A\[\s*((?:#{NAME_PART}|\s+(?=[^\s\]]))*+)\s*\]/n, 1] or fail_with("missing close square bracket")
          @section = value(title)
          @data[@section] ||= {}
        elsif (match = line.match(/\A\.(include|pragma)(?:\s*=\s*|\s+)(.*)\z/n))
          match[1] == "include" ? include_path(value(match[2])) : pragma(match[2])
        else
          assign(line)
        end
      end

      def assign(line)
        match = line.match(/\A(?:(#{NAME})::)?(#{@dollar_in_names ? NAME_WITH_DOLLARS : NAME})\s*=\s*/n) or fail_with("missing equal sign")
        section = match[1] || @section
        (@data[section] ||= {})[match[2]] = value(match.post_match)
      end

      def pragma(text)
        @dollar_in_names = %w[on true].include?($1) if text =~ /\Adollarid\s*:\s*(\w+)\z/n
      end

      # A file, or the files of a folder whose names end in .cnf or .conf. What is not there is passed over.
      def include_path(path)
        return if @depth >= DEEPEST
        files = File.directory?(path) ? Dir.children(path).grep(/\.(?:cnf|conf)\z/).sort.map { |file| File.join(path, file) } : [path]
        files.each do |file|
          next unless File.file?(file) && File.readable?(file)
          outer = @number
          @depth += 1
          read_lines(File.binread(file))
          @depth -= 1
          @number = outer
        end
      end

      def value(text)
        scanner = StringScanner.new(text)
        result = "".b
        until scanner.eos?
          if scanner.scan(/(["'`])((?:\\.|(?!\1)[^\\])*)(?:\1|\z)/mn) then result << scanner[2].gsub(/\\(.)/mn) { $1 }
          elsif scanner.scan(/\\(.?)/mn) then result << (ESCAPES[scanner[1]] || scanner[1])
          elsif scanner.scan(@dollar_in_names ? VARIABLE_IN_BRACES : VARIABLE) then result << variable(scanner)
          else result << (scanner.scan(/[^"'`\\$]+/n) || scanner.getch)
          end
        end
        result
      end

      def variable(found)
        fail_with("no close brace") if found[:open] && found[:close].empty?
        value = @config.get_value(found[:section] || @section, found[:name])
        value ? value.b : fail_with("variable has no value")
      end
    end
    private_constant :Reader
  end
end
