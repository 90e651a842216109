# Shared by the recorders: each case is a line of tab-separated fields, bytes that are not plain written %XX.
# Run one as `ruby tests/record/NAME.rb` in the crate's folder; it writes tests/data/NAME.txt.
require "stringio"
def esc(s) = s.b.gsub(/[^ -$&-~]/n) { |c| "%%%02X" % c.ord }
def msg(s) = s.encode("UTF-8", invalid: :replace, undef: :replace)
class Recorder
  def initialize(name)
    @out = File.open("tests/data/#{name}.txt", "w")
  end

  # The block's value, or its error as "!Class: message".
  def rec(op, *args)
    value = begin
      v = yield
      v = v.inspect unless v.is_a?(String)
      v
    rescue Exception => e
      "!#{e.class}: #{e.message}"
    end
    @out.puts [op, *args.map { |a| esc(a.to_s) }, esc(value)].join("\t")
  end
end
