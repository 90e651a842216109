require "tomlrb"

module TomlRB
  class Error < StandardError
  end
  ParseError = Tomlrb::ParseError

  def self.parse(text, symbolize_keys: false) = Tomlrb.parse(text, symbolize_keys: symbolize_keys)
  def self.load_file(path, **options) = parse(File.read(path), **options)
  def self.dump(hash) = Tomlrb::Dumper.new(hash).toml_str
end
