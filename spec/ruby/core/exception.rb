e = RuntimeError.new("x"); p e.full_message(highlight: false), e.full_message(highlight: true)
def m(x); raise x; end
def c(x); m(x); rescue => e; e; end
p c("boom").full_message(highlight: false)
p c("boom").full_message(highlight: true)
p c("boom").full_message(highlight: false, order: :bottom)
p c("boom").full_message(highlight: true, order: :bottom)
p c("boom\nbang\n").full_message(highlight: false)
p c("boom\nbang").full_message(highlight: true)
p c("").full_message(highlight: false)
p c(ArgumentError.new("")).full_message(highlight: false)
p c(ArgumentError.new("\nx")).full_message(highlight: false)
p c(RuntimeError.new("")).full_message(highlight: true)
p c(ArgumentError.new("")).full_message(highlight: true)
e = RuntimeError.new("x"); e.set_backtrace([]);  p e.full_message(highlight: false)
e.set_backtrace(["a:1","b:2"]);  p e.full_message(highlight: false)
p SystemExit.new.status, SystemExit.new(3,"x"), SystemExit.new(false).status,SystemExit.new("a").message, SystemExit.new.success?
p SignalException.new("INT"), SignalException.new("SIGINT").signo, SignalException.new(2), Interrupt.new, Interrupt.new("a").signo, (SignalException.new("FOO") rescue $!), (SignalException.new(4000) rescue $!), SignalException.new(2,"hey"), SignalException.new(:INT).signm, (SignalException.new rescue $!)
p KeyError.new("x"), (KeyError.new("x").key rescue $!), (KeyError.new.receiver rescue $!), KeyError.new("a",receiver: 3, key: 4).key
p NameError.new.name, (NameError.new.receiver rescue $!), NameError.new("a",:b,receiver: 3).receiver, NameError.new(:x).message, NameError.new(nil).message
p NoMethodError.new("a",:b,[1],receiver: 3).args, NoMethodError.new("a").private_call?, NoMethodError.new("a",:b,[1]).args
p FrozenError.new("x",receiver: 3).receiver, (FrozenError.new("x").receiver rescue $!)
p UncaughtThrowError.new(:a,2,"hey %p").message rescue p $!
begin; throw :zz, 4; rescue UncaughtThrowError; p $!.tag,$!.value,$!.to_s,$!.message;end
p StopIteration.new("x").result
p (begin; [].each.next; rescue StopIteration; $!.result;end)
def tr; yield; rescue Exception; $!; end
p SystemCallError.new("x",2), SystemCallError.new("x"), SystemCallError.new(nil), SystemCallError.new(100000), SystemCallError.new("z",100000), Errno::ENOENT.new, Errno::ENOENT.new("a","b"),SystemCallError.new("x",2,"fn"),SystemCallError.new("x").errno, SystemCallError.new(2).errno, Errno::EAGAIN.equal?(Errno::EWOULDBLOCK), Errno::NOERROR.new, SystemCallError === Errno::ENOENT.new, Errno::ENOENT::Errno, (SystemCallError.new rescue $!), tr{Errno::ENOENT.new(3)},Errno::ENOENT.new(nil)
p LoadError.new("x").path, SyntaxError.new.message, NoMatchingPatternKeyError.new("x", matchee: {}, key: 1).key
p LocalJumpError.new("x").reason rescue p $!
begin; proc { return 3 }.tap { |x| Thread.new { begin; x.call;rescue LocalJumpError; p $!.reason,$!.exit_value, $!.message; end }.join }; end
p ArgumentError.new(nil).message, ArgumentError.new(3).message, ArgumentError.new.message, ArgumentError.new([1]).inspect, ArgumentError.new("").inspect, ArgumentError.new("a\nb").inspect
e=RuntimeError.new("q"); p (e.set_backtrace(3) rescue $!), e.set_backtrace("a"), e.backtrace, e.exception.equal?(e), e.exception("z").message
p (raise 3 rescue $!), (raise Object rescue $!), (raise "a", "b" rescue $!), (raise RuntimeError, "a", 3 rescue $!), (raise RuntimeError, "a", ["x:1"] rescue $!.backtrace)
p (raise cause: 3 rescue $!), (raise "a", cause: 3 rescue $!), (raise "a", cause: nil rescue $!.cause)
