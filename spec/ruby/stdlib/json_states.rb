# States of JSON's generator, the defaults of load and dump, and what errors of broken texts show.
require "json"

def show(source)
  answer = begin
    eval(source).inspect
  rescue StandardError, SystemStackError => error
    "#{error.class}: #{error.message}"
  end
  puts "#{source} => #{answer}"
end

show 'JSON::State.new.to_h'
show 'JSON::State.from_state(nil).class'
show 'JSON::State.from_state(indent: "x").indent'
show 'JSON::State.new(indent: "x").then { |state| state.indent = "y"; [state.indent, state[:indent], state.generate([1])] }'
show 'JSON::State.new.configure(space: " ", object_nl: "\n").generate({ a: 1 })'
show 'JSON::State.new(max_nesting: 0).check_circular?'
show 'JSON::PRETTY_STATE_PROTOTYPE.to_h'
show 'JSON::FAST_STATE_PROTOTYPE.max_nesting'
show '[JSON.parser, JSON.generator, JSON.state]'
show 'JSON.load_default_options'
show 'JSON.dump_default_options'
show 'JSON.fast_generate(Array.new(150).inject([]) { |inner, _| [inner] }).size'
show 'JSON.fast_generate((a = []; a << a; a))'
show 'JSON.dump((a = []; a << a; a))'
["\"a\0b\"", "/[true]", "[-0/.0]", "[true]/", "[/*x*/ 1]", "/* 1", "[1 /", "// x"].each { |text| show "JSON.parse(#{text.dump})" }
['\xE3\x81', 'a\xE3b', 'a\xE3bc', '\xC3', '\x80', '\xF0\x28\x8C\x28', '\xFF'].each { |bytes| show "JSON.generate(\"#{bytes}\")" }
show 'JSON.load_default_options[:create_additions] = false; JSON.load(%q({"json_class":"Range"}))'
show 'JSON.dump_default_options[:allow_nan] = false; JSON.dump(Float::NAN)'
