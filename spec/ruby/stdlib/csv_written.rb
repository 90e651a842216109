require "csv"
p CSV.generate(headers: %i[b a]) { |csv| csv << { a: 1, b: 2 }; p csv.headers, csv.lineno }
p CSV.generate(headers: "b|a", col_sep: "|", write_headers: true) { |csv| csv << { "a" => 1, "b" => 2 }; p csv.headers, csv.lineno }
p CSV.generate(headers: "b|a", col_sep: "|", write_headers: true) { |_| }
p CSV.generate(headers: %i[b a], write_headers: true, header_converters: ->(name) { name.to_s.upcase }) { |csv| p csv.headers }
p CSV.generate(headers: true, write_headers: true) { |csv| csv << CSV::Row.new(%w(a b), [1, 2]) << [3, 4]; p csv.headers }
rows = CSV.parse("1,2\n\n3,x\n", converters: :integer, unconverted_fields: true)
p rows, rows.map(&:unconverted_fields)
p CSV.parse("a,b\n3,4\n", headers: true, return_headers: true, converters: :integer, unconverted_fields: true).map(&:unconverted_fields)
p CSV.parse("x1x,xyx\n", strip: "x"), CSV.parse("\t1 , \" 2 \" \n", strip: true)
[{ strip: "xy" }, { strip: true, col_sep: "\t" }, { col_sep: "" }, { quote_char: "ab" }].each do |options|
  CSV.parse("1,2", **options)
rescue ArgumentError => error
  puts error.message
end
p CSV.parse(%q{a,""b"",\"c\"}, liberal_parsing: true), CSV.parse(%q{a,""b""}, liberal_parsing: { double_quote_outside_quote: true })
p CSV.parse(%q{"\"\"a\"\"",\"b}, liberal_parsing: { backslash_quote: true }), CSV.parse(%q{1,"He said, \"No,\" too"}, liberal_parsing: true)
p CSV.generate_line(["あ".encode("EUC-JP")]).encoding, CSV.generate(encoding: "Windows-31J") { |csv| csv << ["あ"] }.encoding
data = "a,\"b\r\nc\"\r\nあ,\r\n".encode("UTF-16LE")
p CSV.parse(data).map { |row| row.map { |field| field && field.encode("UTF-8") } }, CSV.new(data).row_sep.encoding, CSV.parse(data)[1][0].encoding
p CSV.generate(String.new(encoding: "UTF-16BE"), encoding: "UTF-16BE") { |csv| csv << %w(a b).map { |text| text.encode("UTF-16BE") } }.then { |text| [text.encoding, text.encode("UTF-8")] }
# a stream that cannot be rewound
class OneWay
  def initialize(text)
    @io = StringIO.new(text)
  end
  def gets(*arguments) = @io.gets(*arguments)
  def read(*arguments) = @io.read(*arguments)
  def eof? = @io.eof?
end
p CSV.new(OneWay.new("one,two\r\nthree,four\r\n")).to_a
output = +""
CSV.filter("Name,Value\nfoo,0\nbar,1\n", output, headers: true, out_write_headers: true) do |row|
  row.is_a?(Array) ? row[0] += "X" : row[1] = row[1].to_i + 1
end
puts output
["a,b\nc\rd\n", "a\n\r\nb\n", "a,\"b\"c\n", "a,b\"c\n"].each do |text|
  CSV.parse(text)
rescue CSV::MalformedCSVError => error
  puts error.message
end
p CSV.new($stdin), CSV.open(File::NULL, &:inspect), CSV::Row.new(%w(a b), [1, 2]).each.size
parser = CSV.new("a,b\n#x\n3,4\n", skip_lines: /^#/)
2.times { parser.shift }
p parser.lineno, parser.line
p CSV.parse("Sun Nov 11 2018,Thu Jan  1 00:00:00 1970,2018-12-30 06:41:29,2018-1-2", converters: :all)
