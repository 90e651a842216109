# REXML: documents with a character too many or too few: what is read, the error and its place.
require "rexml/document"
$VERBOSE = nil
docs = ["<?xml version='1.0' encoding='UTF-8'?>\n<!-- c -->\n<root a='1' b=\"2\">\n <x>t &amp; u</x>\n <y/><![CDATA[d]]>\n <?pi x?>\n</root>\n", "<!DOCTYPE a [<!ENTITY e 'v'><!ELEMENT a ANY>\n<!ATTLIST a b CDATA 'c'>]><a>&e;<b c='>'/></a>", "<!DOCTYPE html PUBLIC '-//W3C//DTD' 'http://x'><html xmlns:q='u' q:a='b'><q:br/></html>"]
docs.each do |doc|
  variants = (0..doc.size).flat_map { |i| [doc[0...i], doc[0...i] + doc[i + 1..].to_s, doc[0...i] + "<" + doc[i..], doc[0...i] + "&" + doc[i..], doc[0...i] + ">" + doc[i..], doc[0...i] + "'" + doc[i..], doc[0...i] + " " + doc[i..], doc[0...i] + "\x01" + doc[i..], doc[0...i] + "/" + doc[i..]] }
  variants.uniq.each_with_index do |text, index|
    next unless index % 4 == 1 # a quarter shows every kind

    d = REXML::Document.new(text)
    puts "#{text.dump} => #{d.to_s.dump} #{d.children.map(&:class)}"
  rescue REXML::ParseException => e
    puts "#{text.dump} => #{e.class} #{e.message.b.lines.first.gsub(/ for #<.*/m, "").inspect} #{e.message.lines.last.b.inspect} #{e.line.inspect} #{e.position.inspect} #{e.continued_exception.class}"
  rescue => e
    puts "#{text.dump} => #{e.class} #{e.message.lines.first}"
  end
end
