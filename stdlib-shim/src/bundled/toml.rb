require "tomlrb"

module TOML
  ParseError = Tomlrb::ParseError

  class Parser
    attr_reader :parsed

    def initialize(text) = @parsed = Tomlrb.parse(text)
  end

  class Generator
    attr_reader :body

    def initialize(hash) = @body = Tomlrb::Dumper.new(hash).toml_str
  end

  def self.load(text) = Tomlrb.parse(text)
  def self.parse(text) = Tomlrb.parse(text)
  def self.load_file(path) = Tomlrb.load_file(path)
  def self.dump(hash) = Generator.new(hash).body
end
