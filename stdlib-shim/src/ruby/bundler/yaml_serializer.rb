# The small part of YAML that Bundler's configuration is written in: strings, lists of strings, nested hashes.
module Bundler
  module YAMLSerializer
    module_function

    def dump(hash) = "---\n#{lines_of(hash).join("\n")}\n"

    def load(text)
      root = {}
      levels = [root]
      list = nil
      text.each_line(chomp: true) do |line|
        if (item = line[/\A *- (.*)\z/, 1])
          holder, key = list
          holder[key] = [] unless holder[key].is_a?(Array)
          holder[key] << bare(item)
        elsif (found = line.match(/\A( *)(.+?):(?: (.*)| *)\z/)) && !line.start_with?("---")
          depth, key, value = found[1].size / 2, key_of(found[2]), found[3].to_s
          list = [levels[depth], key]
          levels[depth][key] = value.empty? ? levels[depth + 1] = {} : bare(value)
        end
      end
      root
    end

    def lines_of(hash)
      hash.flat_map do |key, value|
        case value
        when Hash then ["#{key}:", *lines_of(value).map { |line| "  #{line}" }]
        when Array then ["#{key}:", *value.map { |each| "- #{quoted(each)}" }]
        else ["#{key}: #{quoted(value)}"]
        end
      end
    end

    def quoted(value) = value.to_s.gsub(/\s+/, " ").inspect
    def bare(text) = text.match(/\A(['"])(.*)\1\z/)&.then { |found| found[2] } || text
    # Addresses end with a slash, and dots are kept as two lines.
    def key_of(key) = (key.match?(/https?:/i) && !key.end_with?("/") ? "#{key}/" : key).gsub(".", "__")

    singleton_class.send(:private, :lines_of, :quoted, :bare, :key_of)
  end
end
