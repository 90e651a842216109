class W; def write(*a) = (STDOUT.puts "write #{a.inspect}"; a.sum(&:size)); end
["File should\n", "File should", "", "a\n\n", :sym, nil].each { |m|
  old=$stderr
  $stderr = W.new
  begin; abort(m); rescue SystemExit; $stderr=old; p $!.message, $!.status; rescue TypeError; $stderr=old; p $!.message end
}
def (x=Object.new).to_str = "conv"
begin; old=$stderr; $stderr=W.new; abort x; rescue SystemExit; $stderr=old; p $!.message;end
$stderr=W.new
begin; Process.abort("zz"); rescue SystemExit; $stderr=old; p $!.message;end
