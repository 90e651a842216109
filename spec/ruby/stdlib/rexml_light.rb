require "rexml/light/node"
require "rexml/parsers/lightparser"
require "rexml/parsers/ultralightparser"
def show(n, up = nil) = n.map { |x| x.equal?(up) ? :up : Array === x && Symbol === x[0] ? show(x, n) : x }
x = %q{<?xml version="1.0"?><a b="1"><!-- c --><d>t</d><e/></a>}
p show(REXML::Parsers::LightParser.new(x).parse), show(REXML::Parsers::UltraLightParser.new(x).parse)
p REXML::Light::Node.new.children.class
require "rexml/parsers/baseparser"
%i[NCNAME_STR QNAME_STR UNAME_STR QNAME NAMECHAR NAME NMTOKEN NMTOKENS REFERENCE REFERENCE_RE].each { |n| puts "#{n} #{REXML::Parsers::BaseParser.const_get(n).inspect}" }
