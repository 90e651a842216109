# The lines at which statements are counted: where they do something first; conditionals wherever they stand.
require "coverage"
require "tempfile"

SOURCE = <<~'RUBY'
  # frozen_string_literal: true
  STATIC = {
    "a" => 1,
    "b" => :c
  }.freeze
  DYNAMIC = {
    "a" => [1],
    "b" => "#{2}"
  }.freeze
  WORDS = %w[
    a b
  ].freeze
  SYMBOLS = [
    :a,
    :b
  ].freeze
  LISTS = [
    [1, STATIC],
    [2]
  ].freeze
  @text =
    "one " \
    "#{WORDS.size} two"
  def kind(x)
    if x == 1
      :one
    elsif x == 2
      :two
    else
      nil
    end
  end
  def pair(x)
    [
      x ? 1 : 2,
      x.nil? ? 3
        : 4,
    ]
  end
  value =
    if kind(2) == :two
      7
    else
      8
    end
  @memo ||=
    unless value
      1
    end
  other = begin
    Integer("x")
  rescue ArgumentError
    pair(nil)
  end
  def last
    Integer("y")
  rescue ArgumentError
    nil
  end
  case
  when value == 7
    last
  when other
    kind(
      1
    )
  end
  $global =
    kind(3)
RUBY

file = Tempfile.new(["covered", ".rb"])
file.write(SOURCE)
file.close
p Coverage.line_stub(file.path)
Coverage.start
load file.path
counts = Coverage.result[file.path]
SOURCE.each_line.zip(counts) { |line, count| puts "#{count.inspect.ljust(4)}#{line}" }
lines = []
$VERBOSE = nil
point = TracePoint.new(:line) { |it| lines << it.lineno if it.path == file.path }
load file.path
point.enable { [kind(1), kind(2), kind(3), pair(1), pair(nil), last] }
p lines
