module Shellwords
  def shellsplit(line)
    words = []
    word = nil
    quote = nil
    escaped = false
    line.scan(/./m) do |char|
      if escaped
        word << "\\" if quote ? !"$`\"\\\n".include?(char) : char == "\n"
        word << char
        escaped = false
      elsif char == "\\" && quote != "'"
        word ||= String.new
        escaped = true
      elsif quote
        char == quote ? quote = nil : word << char
      elsif char == "'" || char == '"'
        word ||= String.new
        quote = char
      elsif char.match?(/\s/)
        words << word if word
        word = nil
      else
        (word ||= String.new) << char
      end
    end
    raise ArgumentError, "Unmatched quote: #{line.inspect}" if quote
    word << "\\" if escaped
    words << word if word
    words
  end
  alias shellwords shellsplit
  module_function :shellsplit, :shellwords

  def shellescape(str)
    text = str.to_s
    return String.new("''") if text.empty?
    text.gsub(%r{[^\w\-.,:+/@]}) { |char| char == "\n" ? "'\n'" : "\\#{char}" }
  end
  module_function :shellescape

  def shelljoin(array) = array.map { |arg| shellescape(arg) }.join(" ")
  module_function :shelljoin

  class << self
    alias split shellsplit
    alias escape shellescape
    alias join shelljoin
  end
end

class String
  def shellsplit = Shellwords.split(self)
  def shellescape = Shellwords.escape(self)
end

class Array
  def shelljoin = Shellwords.join(self)
end
