# The emitter by itself: types, states, anchors, tag directives.
require "psych"; require "stringio"
t=->(&b){begin; b.(); puts "ok"; rescue Exception=>x; puts "#{x.class}: #{x.message}"; end}
e=Psych::Emitter.new(StringIO.new)
t.(){e.scalar("x",nil,nil,true,false,1)}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1)
t.(){e.scalar("x",nil,nil,true,false,1)}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1)
t.(){e.start_stream(1)}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1); e.start_document([],[],true)
t.(){e.end_document(true)}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1); e.start_document([],[],true)
t.(){e.end_sequence}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1); e.start_document([],[],true); e.scalar("x",nil,nil,true,false,1)
t.(){e.scalar("x",nil,nil,true,false,1)}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1); e.start_document([],[],true); 
t.(){e.scalar("x",1,nil,true,false,1)}
t.(){e.scalar("x",nil,nil,true,false,nil)}
t.(){e.scalar("x",nil,nil,true,false,:a)}
t.(){e.scalar(nil,nil,nil,true,false,1)}
t.(){e.start_document(nil,nil,1)}
t.(){e.start_document([],[["!"]],1)}
t.(){e.start_document([],[1],1)}
t.(){e.start_stream("x")}
t.(){e.start_stream(nil)}
t.(){e.start_sequence(nil, Object.new, true, 1)}
t.(){e.scalar("x","é",nil,true,false,1)}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1); e.start_document([],[],true); 
t.(){e.alias("é")}
e=Psych::Emitter.new(StringIO.new); e.start_stream(1); e.start_document([],[],true); 
t.(){e.alias("")}
io=StringIO.new
e=Psych::Emitter.new(io); e.start_stream(1); e.start_document([1,1],[["!","tag:example.com,2000:"],["!!","foo.com,2009:"],["!e!","tag:e.com:"]],false)
e.start_sequence("a1","tag:example.com,2000:s",false,1)
e.scalar("x",nil,"tag:e.com:y",false,false,1)
e.scalar("x",nil,"foo.com,2009:z",false,false,1)
e.scalar("x",nil,"tag:yaml.org,2002:str",false,false,1)
e.alias("a1"); e.end_sequence; e.end_document(true); e.start_document([],[],false); e.scalar("q",nil,"tag:example.com,2000:s",false,false,1); e.end_document(false); e.end_stream
puts io.string
p Psych::Emitter.new(io).line_width, Psych::Emitter.new(io).indentation, Psych::Emitter.new(io).canonical, Psych::Emitter.instance_methods(false).sort

Styled = Struct.new(:kind, :style) do
  def encode_with(coder)
    coder.tag = nil
    kind == :seq ? coder.seq = [1, 2] : coder.scalar = "some scalar"
    coder.style = style
  end
end
[[:seq, 2], [:scalar, 2], [:scalar, 3], [:scalar, 4], [:scalar, 5]].each { |kind, style| puts Psych.dump(Styled.new(kind, style)) }
puts Psych.to_json("a" => [1, nil, Time.utc(2010, 10, 10)], b: 1.5)

# An IO is asked for parts, and its encoding is the external one.
class Parts
  def initialize(text) = @text = text.dup
  def read(size)
    @sizes ||= []
    @sizes << size
    @text.slice!(0, 3)
  end
  def sizes = @sizes.uniq
  def external_encoding = nil
end
parts = Parts.new("a: [1, 2]\n")
p Psych.load(parts), parts.sizes.all?(Integer)
bogus = Object.new
def bogus.external_encoding = nil
def bogus.read(_size) = self
begin
  Psych.load(bogus)
rescue TypeError => error
  p error.class
end
p Psych.load(StringIO.new("a: é".encode("UTF-16LE")))
