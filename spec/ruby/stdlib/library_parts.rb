# Parts of small libraries that programs name seldom.
require "logger"
require "erb"
require "csv"
require "json"
require "json/generic_object"
require "ripper"
require "ripper/filter"
require "forwardable"
require "pstore"
require "getoptlong"
require "ipaddr"
require "open3"
require "mutex_m"
require "singleton"
require "etc"
$VERBOSE = nil

%w[daily weekly monthly].each do |age|
  [Time.utc(2024, 3, 31, 12, 0, 1), Time.utc(2024, 1, 1), Time.utc(2023, 12, 31, 23, 59, 59)].each { |time| p [age, Logger::Period.next_rotate_time(time, age), Logger::Period.previous_period_end(time, age)] }
end
begin; Logger::Period.next_rotate_time(Time.now, "x"); rescue => e; p e.class, e.message; end
p Logger::SEV_LABEL, Logger::Period::SiD, Logger::LogDevice.include?(Logger::Period)

["-", "<>", ">", "%", "%<>", nil].each { |mode| compiler = ERB::Compiler.new(mode); p [compiler.percent, compiler.trim_mode, compiler.prepare_trim_mode(mode), compiler.compile("a<%= 1 %>\n<% x -%>\n% y\n<%# c %>\nz<%% %%>\nend\n")] }
class Escaping < ERB::Compiler
  def add_insert_cmd(out, content) = out.push("#{@insert_cmd}(escaped(#{content}))")
  def add_put_cmd(out, content) = out.push("#{@put_cmd} #{content.upcase.dump}")
end
class EscapedERB < ERB
  def make_compiler(mode) = Escaping.new(mode)
end
def escaped(value) = "[#{value}]"
p EscapedERB.new("a <%= 5 %>").result, EscapedERB.new("a <%= 5 %>").src
p ERB.new("<%# frozen-string-literal: true %>a<%= 1 %>").src, ERB.new("<%#-*- coding: euc-jp -*-%>a").src, ERB::Compiler::PercentLine.new("q").to_s
buffer = ERB::Compiler::Buffer.new(ERB::Compiler.new("-").tap { |compiler| compiler.pre_cmd = ["x = ''"]; compiler.post_cmd = ["x"] })
buffer.push("a")
buffer.cr
buffer.push("b")
buffer.close
p buffer.script

converter = CSV::FieldsConverter.new(nil_value: "N", empty_value: "E", builtin_converters_name: :Converters)
p converter.empty?
converter.add_converter(:integer)
converter.add_converter { |field| field.is_a?(String) ? "#{field}!" : field }
converter.add_converter { |field, info| [field, info.index, info.line, info.header] }
p converter.convert(["1", "a", nil, ""], ["h"], 5), converter.empty?, converter.each.class, converter.to_a.size
p CSV::InputRecordSeparator.value, CSV::Parser::InvalidEncoding.superclass
csv = CSV.new("a,b\n")
%i[fsync isatty pid external_encoding internal_encoding sync pos tty? tell].each { |name| p [name, csv.__send__(name)] }
%i[flock ioctl stat to_i].each { |name| begin; csv.__send__(name, *(name == :flock || name == :ioctl ? [1] : [])); rescue NotImplementedError => e; p [name, e.class]; end }

object = JSON::GenericObject[a: 1, "b" => { c: 2 }]
p object, object.b, object.to_hash, object.to_json, object | { d: 5 }, object[:a], JSON::GenericObject.json_creatable?
p JSON::GenericObject.from_hash("a" => [{ "b" => 1 }, 2]), JSON::GenericObject.load('{"a":{"b":1}}'), JSON::GenericObject.dump({ a: 1 }), JSON::GenericObject.load(nil)
JSON::GenericObject.json_creatable = true
p JSON::GenericObject.json_create("a" => 1, "json_class" => "x"), JSON.parse('{"json_class":"JSON::GenericObject","q":1}', create_additions: true)
p JSON::JSON_LOADED, JSON.state, JSON.create_fast_state.max_nesting, JSON.create_pretty_state.indent, JSON::JSONError.wrap(RuntimeError.new("x")), JSON.iconv("utf-16be", "utf-8", "a").bytes
seen = []
JSON.recurse_proc([1, [2], { "a" => 3 }]) { |value| seen << value }
p seen
state = JSON::State.new
state.depth = 3
state.buffer_initial_length = 5
p state.depth, state.buffer_initial_length, state.to_h
class Text < String; end
p JSON::Ext::Generator::GeneratorMethods::Array.instance_methods, JSON::Ext::Generator::GeneratorMethods::String.instance_methods.sort

class Upcased < Ripper::Filter
  def on_default(event, text, data) = data << event
  def on_ident(text, data) = data << text.upcase
end
p Upcased.new("a = 1 # x\n").parse([])
lexer = Ripper::Lexer.new("x.y\n")
token = lexer.scan[0]
p token.class, token.pos, token.event, token.tok, token.to_a.first(3), token[0], token[:tok], token.message, lexer.errors
p Ripper.lex_state_name(Ripper::EXPR_BEG | Ripper::EXPR_LABEL), Ripper.lex_state_name(0), Ripper::EXPR_VALUE, Ripper::EXPR_BEG_ANY, Ripper::EXPR_ARG_ANY, Ripper::EXPR_END_ANY
state = Ripper::Lexer::State.new(Ripper::EXPR_BEG)
p state, state.to_i, state & 1, state | 2, state == 1, state.allbits?(1), state.anybits?(2), state.nobits?(2), state[0], Ripper.parse("1")
p Ripper::SexpBuilder.instance_methods(false).size > 150

p Forwardable::FORWARDABLE_VERSION, PStore::EMPTY_MARSHAL_DATA, PStore::CHECKSUM_ALGO, PStore::EMPTY_MARSHAL_CHECKSUM.bytesize, GetoptLong::STATUS_TERMINATED
p [Mutex_m, Singleton, IPAddr, Open3, GetoptLong, PStore].map { |each| each::VERSION }, Struct::Passwd == Etc::Passwd, Struct::Group == Etc::Group
p Errno::EAUTH, Errno::EFTYPE == Errno::NOERROR, SizedQueue.instance_methods(false).sort
