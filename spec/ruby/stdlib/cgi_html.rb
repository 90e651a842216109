# HTML by methods, and the heads of answers.
require 'cgi'
ENV['REQUEST_METHOD']='GET'; ENV['QUERY_STRING']=''
p CGI::HTTP_STATUS, CGI::EOL, CGI::CR, CGI::LF, CGI::NEEDS_BINMODE, CGI::PATH_SEPARATOR, CGI::MAX_MULTIPART_COUNT, CGI::REVISION, CGI::VERSION
p CGI::QueryExtension.instance_methods(false).sort
require "cgi/html"; p CGI::HtmlExtension.instance_methods(false).sort
p CGI::HTML3.ancestors.first(2), CGI::HTML5.ancestors.first(2)
require "cgi/html"
%w[3 4 4Tr 4Fr 5].each do |v|
  c=CGI.new("html#{v}")
  m = CGI.const_get("Html#{v}")
  t={}
  m.instance_methods(false).sort.each do |n|
    next if %i[doctype].include?(n)
    a=c.singleton_class.include?(CGI::HtmlExtension) && m.instance_method(n).bind_call(c,"K"=>"v") rescue a=$!.class
    b=m.instance_method(n).bind_call(c,{}){"x"} rescue b=$!.class
    kind= a=~/<\/|\/>/ ? (a=~/\/>/ ? :slash : :nn) : (b=~/<\// ? :o : :empty)
    (t[kind]||=[])<<n
  end
  puts "#{v} #{c.doctype}"; t.each{|k,l| puts "#{k}: #{l.size} #{l.join(" ")}"}
end
c=CGI.new("html5")
p c.a("http://x"){"y"}, c.img("s","alt",1,2), c.br, c.p{"x"}, c.p, c.form{"z"}, c.form("get","u"){"z"}, c.html{"c"}, c.html("PRETTY"=>"  "){"<BODY></BODY>"}, c.checkbox("n","v",true), c.checkbox_group("n","a",["b",true],["c","C",true]), c.radio_group("n","a",["b",true]), c.popup_menu("n","a",["b",true],["1","One"]), c.scrolling_list("NAME"=>"n","VALUES"=>["a",["b",true]],"SIZE"=>3,"MULTIPLE"=>true), c.text_field("n","v",10,20), c.password_field("n"), c.hidden("a","b"), c.submit, c.submit("v","n"), c.reset("r"), c.button rescue p $!
p c.textarea("n",5,6), c.textarea("NAME"=>"n"), c.file_field("f"), c.image_button("s","n","a"), c.multipart_form("u"){"q"}, c.base("h"), c.blockquote("c"){"q"}, c.caption("left"){"z"}, c.radio_button("n","v",true), c.a({"HREF"=>"h","TARGET"=>nil,"Q"=>true}){"x&y"}, c.a("A"=>"<\"&"){}
p c.table({"B"=>1}){c.tr{c.td{"x"}}}
p c.http_header, c.http_header("text/plain"), c.http_header(:type=>"a/b",:status=>"NOT_FOUND",:charset=>"utf-8",:length=>5,:language=>"ja",:expires=>Time.at(0),"cookie"=>CGI::Cookie.new("a","b"),"X-Y"=>"z"), c.http_header("nph"=>true,"status"=>"OK","server"=>"s").sub(/Date: .*GMT/,""), c.http_header("connection"=>"close","status"=>"299 foo")
p c.http_header("cookie"=>[CGI::Cookie.new("a","b"),CGI::Cookie.new("c","d")]), c.http_header("cookie"=>{"a"=>CGI::Cookie.new("a","b")}), c.http_header("Status"=>"x","status"=>"zzz")
