# What json's parts say of what they are given.
require "json"
p JSON.load(nil), JSON.load(nil, nil, allow_blank: true)
begin
  JSON.load(nil, nil, allow_blank: false)
rescue TypeError => error
  p error.class
end
begin
  JSON.load("", nil, allow_blank: false)
rescue JSON::ParserError => error
  p error.class
end
parser = JSON::Ext::Parser.new("{}")
[-> { parser.__send__(:initialize, "{}") }, -> { JSON::Ext::Parser.allocate.source }].each do |block|
  block.call
rescue TypeError => error
  puts error.message
end
state = JSON.state.new
state[:foo] = :bar
p state["foo"], state.to_h[:foo], state.to_hash[:foo]
text = +"foo"
begin
  state.configure(text)
rescue TypeError => error
  puts error.message
end
def text.to_h = { indent: "2" }
state.configure(text)
p state.indent
p JSON.parse('["foo", "foo"]', freeze: true).map(&:object_id).uniq.size, JSON.parse('"foo"', freeze: true).equal?(-"foo")
require "date"
p DateTime.parse("2001-02-03", create_additions: true)
p [Date.new(2001, 2, 3).to_s, DateTime.new(2001, 2, 3).zone, Date.new(2001, 2, 3).strftime, Date::DAYNAMES[0], Date::MONTHNAMES[1]].map(&:encoding)
begin
  Date.new(2001).strftime(nil)
rescue TypeError => error
  puts error.message
end
