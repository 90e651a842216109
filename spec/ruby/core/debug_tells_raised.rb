# While $DEBUG is true, exceptions that are raised are written to $stderr.
$stderr = $stdout
$DEBUG = true
begin; raise "x"; rescue; end
begin; raise ArgumentError, "two\nlines"; rescue => e; end
begin; Integer("z"); rescue ArgumentError; end
begin; raise e; rescue ArgumentError; end
begin; [1].fetch(9); rescue IndexError; end
begin; raise StandardError, ""; rescue; end
begin; raise StandardError.new(nil); rescue; end
begin; begin; raise "in"; ensure; puts "ensure"; end; rescue; end
catch(:x) { throw :x }
loop { raise StopIteration }
begin; exit; rescue SystemExit; end
p Integer("a", exception: false)
$DEBUG = false
begin; raise "silent"; rescue; end
p $-d
