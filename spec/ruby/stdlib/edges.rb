# Edges of date, rubygems, rexml, csv, uri, optparse, cgi and addressable.
def t; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
require 'date'; t { Date.jd(2451944.5).day_fraction }; t { (Date.new(2020,1,1)+Rational(1,2)).day_fraction }; t { Date.new(2020).day_fraction }; t { Class.new(Date).new(2020).day_fraction }; t { DateTime.new(2020).day_fraction }
t { Gem::Specification.find_by_name("json").then { |s| s.gems_dir == s.full_gem_path } }
require 'rexml/document'; t { REXML::Document.new(%q(<!DOCTYPE a SYSTEM "it's 'q'"><a/>)).to_s }; t { REXML::Document.new(%q(<!DOCTYPE a PUBLIC 'p' 's'><a/>)).to_s }
require 'csv'; t { CSV.parse("1,,x\n", converters: [:integer, ->(f){ f.to_s + "!" }]) }; t { CSV.parse("1,,x\n", converters: [->(f){ f.to_s + "!" }]) }; t { CSV.parse("\"aaaaaaa\",b\n", field_size_limit: 5) }; t { CSV.parse("\"aaa\naaaa\",b\n", field_size_limit: 5) }
require 'optparse'; require 'optparse/shellwords'
t { o = nil; OptionParser.new { |x| x.on("-w W", Shellwords) { |v| o = v } }.parse(%w(-w 'a)); o }
t { o = nil; OptionParser.new { |x| x.on("-n N", Integer) { |v| o = v } }.parse(%w(-n 08)); o }
t { o = nil; OptionParser.new { |x| x.on("-n N", Integer) { |v| o = v } }.parse(%w(-n 12)); o }
t { OptionParser.new { |x| x.on("-n N", Integer) }.parse(%w(-n x)) }
require 'cgi'; t { CGI.escapeHTML(nil) }; t { CGI.escapeHTML("<") }
require 'securerandom'; t { SecureRandom::VERSION }
require 'addressable/uri'; %w(foo.bar:8080/x localhost:80 a:80 foo:8080 foo.bar http:/x 127.0.0.1:80).each { |x| t { Addressable::URI.heuristic_parse(x).to_s } }
