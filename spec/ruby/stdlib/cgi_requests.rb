# CGI: what a program is asked, how it answers, what it remembers between requests.
require 'cgi'; require 'cgi/session'; require 'cgi/session/pstore'
ENV['REQUEST_METHOD']='GET'; ENV['QUERY_STRING']='a=1&b=2&a=3&c=%E3%81%82'
c=CGI.new
(c.http_header("X"=>"a\r\nb")) rescue p $!
(c.http_header("X"=>"a\r\n b")) rescue p $!
(c.http_header("X"=>"a\nb\n")) rescue p $!
(c.http_header("a\rb")) rescue p $!
p c["a"], c["zz"], c.params, c.key?("a"), c.keys, c.multipart?, c.cookies, c.accept_charset, c.query_string, c.content_length, c.server_port, c.host, c.user_agent, c.params["q"]
c.out{"hello"}
c.out("text/plain"){"x"}
c.out("type"=>"a/b","charset"=>"utf-8"){"x"}
c.print "z"; puts
ENV['QUERY_STRING']='a=%FF'
begin; CGI.new; rescue Exception => e; p e.class, e.message; end
r={}; CGI.new(:accept_charset=>"UTF-8"){|n,v| r[n]=v}; p r
ENV["QUERY_STRING"]="a=1"; p CGI.new("accept_charset"=>"iso-8859-1").params["a"][0].encoding
p CGI.accept_charset
ENV['QUERY_STRING']='x=1'; ENV['HTTP_COOKIE']='_session_id=abc; q=1'
c=CGI.new; p c.cookies, c.raw_cookie
p CGI::Session::NoSession.superclass
require 'tmpdir'
Dir.mktmpdir do |d|
 ENV.delete('HTTP_COOKIE'); c=CGI.new
 s=CGI::Session.new(c,"tmpdir"=>d,"session_path"=>"/p","new_session"=>true)
 p s.session_id.size, s.new_session, s["k"]; s["k"]="v&="; s.close
 p Dir.children(d).map{|x|x.sub(/\h{16}/,"H")}.sort, c.instance_variable_get(:@output_cookies).map(&:to_s).map{|x|x.sub(/\h{32}/,"ID")}, c.instance_variable_get(:@output_hidden).keys
 ENV['HTTP_COOKIE']="_session_id=#{s.session_id}"
 c=CGI.new; t=CGI::Session.new(c,"tmpdir"=>d,"new_session"=>false); p t["k"], t.new_session; t.delete; p Dir.children(d)
 begin; CGI::Session.new(c,"tmpdir"=>d,"new_session"=>false); rescue => e; p e.class, e.message.sub(/\h{32}/,'ID'); end
 m=CGI::Session.new(c,"database_manager"=>CGI::Session::MemoryStore,"session_id"=>"z"); m["q"]=1; m.update; m.close; p CGI::Session.new(c,"database_manager"=>CGI::Session::MemoryStore,"session_id"=>"z")["q"]
 f=CGI::Session.new(c,"tmpdir"=>d,"session_id"=>"x","database_manager"=>CGI::Session::PStore,"prefix"=>"pp","suffix"=>".s"); f["o"]=[1,2]; f.close; p Dir.children(d).map{|x|x.sub(/\h{16}/,"H")}.sort; n=CGI::Session.new(c,"tmpdir"=>d,"session_id"=>"x","database_manager"=>CGI::Session::PStore,"prefix"=>"pp","suffix"=>".s"); p n["o"]; n.delete
 n=CGI::Session.new(c,"session_id"=>"../x","tmpdir"=>d); n.delete
 p s.options rescue p $!.class
end
body=+""
b="BOUND"
body << "--#{b}\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\ntext\r\n"
body << "--#{b}\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a b.txt\"\r\nContent-Type: text/plain\r\n\r\nfile\r\nmore\r\n"
body << "--#{b}\r\nContent-Disposition: form-data; name=\"g\"; filename=\"big\"\r\nContent-Type: a/b\r\n\r\n#{"x"*20000}\r\n"
body << "--#{b}--\r\n"
ENV['REQUEST_METHOD']='POST'; ENV['CONTENT_TYPE']="multipart/form-data; boundary=\"#{b}\""; ENV['CONTENT_LENGTH']=body.bytesize.to_s
$stdin.reopen(IO.popen(["printf","%s",body])); 
c=CGI.new
p c.multipart?, c["t"], c.params["t"], c["f"].class, c["f"].original_filename, c["f"].content_type, c["f"].read, c["f"].local_path, c["g"].class, c["g"].size, c.files.keys, c["none"].class, c.params.keys, c.create_body(false).class
def io(s) = $stdin.reopen(IO.popen(["printf","%s",s]))
ENV['CONTENT_LENGTH']=(body.bytesize-30).to_s; io(body[0...-30]); begin; CGI.new; rescue => e; p e.class,e.message; end
io(body); begin; CGI.new(max_multipart_length: 10); rescue => e; p e.class,e.message; end
io(body); begin; CGI.new(max_multipart_length: ->{10}); rescue => e; p e.class,e.message; end
ENV['CONTENT_TYPE']="application/x-www-form-urlencoded"; ENV['CONTENT_LENGTH']="7"; io("a=b&c=d"); p CGI.new.params
ENV['REQUEST_METHOD']='HEAD'; CGI.new.out{"q"}
ENV.delete('REQUEST_METHOD'); ARGV.replace(["a=1","b=2"]); p CGI.new.params
ARGV.clear; io("p=q\nr=s\n"); p CGI.new.params
p CGI.parse("a=1;b=2&c")
