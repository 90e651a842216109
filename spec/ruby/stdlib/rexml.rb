require "rexml/document"
doc = REXML::Document.new(<<X)
<?xml version="1.0" encoding="UTF-8"?>
<!-- top -->
<root xmlns:n="urn:x" a="1" b='two &amp; "three"'>
  <item id="1" kind="x">One &lt; two</item>
  <item id="2"><sub>deep</sub> tail</item>
  <n:item id="3"/>
  <![CDATA[raw <b>]]>
  <?pi some data?>
</root>
X
puts doc.to_s
p doc.root.name, doc.root.attributes["b"], doc.root.elements.size
p doc.elements["root/item[2]/sub"].text
p doc.root.elements.to_a("item").map { |e| e.attributes["id"] }
doc.elements.each("//item[@id > 1]") { |e| p e.attributes["id"] }
p REXML::XPath.first(doc, "//item[@kind='x']").text
p REXML::XPath.match(doc, "//@id").map(&:value)
p REXML::XPath.first(doc, "count(//item)") 
p REXML::XPath.match(doc, "//n:item", {"n"=>"urn:x"}).size
p REXML::XPath.first(doc, "//item[last()]/sub/text()").to_s
p REXML::XPath.match(doc, "//item[contains(., 'deep') or @id=1]").size
e = doc.root.add_element("new", { "k" => "v'w", "z" => 1 })
e.text = "a < b & c"
e.add_element("c1").add_text("x").add_text("y")
puts e.to_s, e.xpath
doc.root.delete_element("item[1]")
doc.root.elements.delete("n:item")
out = +""
doc.write(out, 2)
puts out
f = REXML::Formatters::Pretty.new(4); f.compact = true
out = +""
f.write(doc, out); puts out
d = REXML::Document.new
d << REXML::XMLDecl.new("1.0", "utf-8")
r = d.add_element("conf")
r.add_attribute("x", "1"); r.attributes["y"] = nil
r << REXML::Comment.new(" hi "); r << REXML::CData.new("<&>")
puts d.to_s, d.root.inspect
["<a><b></a>", "<a>", "<a b=c/>", "<a b='1' b='2'/>", "text", "<a/><b/>", "<a>&</a>", "<x:a/>"].each do |bad|
  REXML::Document.new(bad); puts "fine #{bad}"
rescue REXML::ParseException => error
  puts "#{error.class} #{bad}: #{error.message.lines.first}"
end
p doc.root.elements["nothing"], doc.root.get_text.to_s, doc.root.has_elements?, doc.root.parent.class
p REXML::Document.new("<a>1<b/>2</a>").root.texts.map(&:to_s), REXML::Text.new("a<b").to_s, REXML::Text.new("a&lt;b", false, nil, true).value
p doc.root.elements.collect { |x| x.name }, doc.root.each_element("new") { |x| p x.name }.class
