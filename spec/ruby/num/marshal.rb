# Recorded from MRI 3.1; see the .out beside it.
def t(source)
  shown = begin
    eval(source).inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{source} => #{shown}"
end
S7=Struct.new(:a,:b); class O7; attr_accessor :x,:y; def initialize(x=nil); @x=x; end; def ==(o); o.class==self.class && o.x==x; end; end
class SS7<String; end; class AA7<Array;end; class HH7<Hash;end
class UD7; attr_reader :v; def initialize(v);@v=v;end; def _dump(l); @v.to_s; end; def self._load(s); new(s.to_i);end;end
class UM7; attr_reader :v; def initialize(v);@v=v;end; def marshal_dump; [@v]; end; def marshal_load(a); @v=a[0];end;end
module EX7;end
<<'CASES'.each_line(chomp: true) { |line| t(line) }
Marshal.dump(begin;nil;end)
Marshal.dump(begin;true;end)
Marshal.dump(begin;false;end)
Marshal.dump(begin;0;end)
Marshal.dump(begin;1;end)
Marshal.dump(begin;-1;end)
Marshal.dump(begin;122;end)
Marshal.dump(begin;123;end)
Marshal.dump(begin;-123;end)
Marshal.dump(begin;-124;end)
Marshal.dump(begin;255;end)
Marshal.dump(begin;256;end)
Marshal.dump(begin;-256;end)
Marshal.dump(begin;-257;end)
Marshal.dump(begin;65535;end)
Marshal.dump(begin;65536;end)
Marshal.dump(begin;2**30-1;end)
Marshal.dump(begin;2**30;end)
Marshal.dump(begin;-(2**30);end)
Marshal.dump(begin;-(2**30)-1;end)
Marshal.dump(begin;2**31;end)
Marshal.dump(begin;2**62;end)
Marshal.dump(begin;2**64;end)
Marshal.dump(begin;-(2**70);end)
Marshal.dump(begin;2**100;end)
Marshal.dump(begin;1.0;end)
Marshal.dump(begin;1.5;end)
Marshal.dump(begin;-0.0;end)
Marshal.dump(begin;0.0;end)
Marshal.dump(begin;1e100;end)
Marshal.dump(begin;0.001;end)
Marshal.dump(begin;0.0001;end)
Marshal.dump(begin;1e-10;end)
Marshal.dump(begin;123456.789;end)
Marshal.dump(begin;1e15;end)
Marshal.dump(begin;1e16;end)
Marshal.dump(begin;12345678901234567.0;end)
Marshal.dump(begin;Float::INFINITY;end)
Marshal.dump(begin;-Float::INFINITY;end)
Marshal.dump(begin;Float::NAN;end)
Marshal.dump(begin;3.14;end)
Marshal.dump(begin;100.0;end)
Marshal.dump(begin;"abc";end)
Marshal.dump(begin;"";end)
Marshal.dump(begin;"é";end)
Marshal.dump(begin;"a".b;end)
Marshal.dump(begin;"a".encode("US-ASCII");end)
Marshal.dump(begin;"a".encode("Shift_JIS");end)
Marshal.dump(begin;"a".encode("UTF-16LE");end)
Marshal.dump(begin;:a;end)
Marshal.dump(begin;:"é";end)
Marshal.dump(begin;[:a,:a,:b];end)
Marshal.dump(begin;[1,[2,[3]]];end)
Marshal.dump(begin;[];end)
Marshal.dump(begin;{};end)
Marshal.dump(begin;{a: 1,"b"=>2};end)
Marshal.dump(begin;Hash.new(5);end)
Marshal.dump(begin;Hash.new{};end)
Marshal.dump(begin;{a: 1}.compare_by_identity;end)
Marshal.dump(begin;1..2;end)
Marshal.dump(begin;1...nil;end)
Marshal.dump(begin;"a".."b";end)
Marshal.dump(begin;1r;end)
Marshal.dump(begin;Rational(3,4);end)
Marshal.dump(begin;Complex(1,2);end)
Marshal.dump(begin;/ab/i;end)
Marshal.dump(begin;/é/;end)
Marshal.dump(begin;String;end)
Marshal.dump(begin;Kernel;end)
Marshal.dump(begin;Math::DomainError;end)
Marshal.dump(begin;S7.new(1,"x");end)
Marshal.dump(begin;O7.new(3);end)
Marshal.dump(begin;O7.new;end)
Marshal.dump(begin;SS7.new("x");end)
Marshal.dump(begin;AA7.new([1]);end)
Marshal.dump(begin;HH7[a: 1];end)
Marshal.dump(begin;UD7.new(5);end)
Marshal.dump(begin;UM7.new(6);end)
Marshal.dump(begin;s="x";[s,s];end)
Marshal.dump(begin;a=[];a<<a;a;end)
Marshal.dump(begin;[1.5,1.5];end)
Marshal.dump(begin;[2**40,"q","q"];end)
Marshal.dump(begin;s="q";[2**40,s,s];end)
Marshal.dump(begin;s="q";[2**70,s,s];end)
Marshal.dump(begin;s="q";["é",s,s];end)
Marshal.dump(begin;Object.new.extend(EX7).tap{|o| o.instance_variable_set(:@a,1)};end)
Marshal.dump(begin;"x".dup.tap{|s| s.instance_variable_set(:@i,1)};end)
Marshal.dump(begin;[].tap{|s| s.instance_variable_set(:@i,1)};end)
Marshal.dump(begin;Proc.new{};end)
Marshal.dump(begin;$stdout;end)
Marshal.dump(begin;o=Object.new;def o.x;end;o;end)
Marshal.dump(begin;Mutex.new;end)
Marshal.dump(begin;method(:p);end)
Marshal.dump(begin;RuntimeError.new("boo");end)
Marshal.dump(begin;Object.new.then{[_1,_1]};end)
Marshal.dump(begin;[nil,true,:a,:b,:a,"é","é"];end)
Marshal.dump(begin;Encoding::UTF_8;end)
Marshal.dump(begin;Random.new(3);end)
Marshal.dump(begin;[:é,:é];end)
Marshal.dump(begin;{1=>{2=>3}};end)
Marshal.load(Marshal.dump(begin;nil;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;true;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;false;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;0;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-1;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;122;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;123;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-123;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-124;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;255;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;256;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-256;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-257;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;65535;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;65536;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;2**30-1;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;2**30;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-(2**30);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-(2**30)-1;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;2**31;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;2**62;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;2**64;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-(2**70);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;2**100;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1.0;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1.5;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-0.0;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;0.0;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1e100;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;0.001;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;0.0001;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1e-10;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;123456.789;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1e15;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1e16;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;12345678901234567.0;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Float::INFINITY;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;-Float::INFINITY;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Float::NAN;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;3.14;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;100.0;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"abc";end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"";end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"é";end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"a".b;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"a".encode("US-ASCII");end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"a".encode("Shift_JIS");end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"a".encode("UTF-16LE");end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;:a;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;:"é";end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[:a,:a,:b];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[1,[2,[3]]];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;{};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;{a: 1,"b"=>2};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Hash.new(5);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Hash.new{};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;{a: 1}.compare_by_identity;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1..2;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1...nil;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"a".."b";end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;1r;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Rational(3,4);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Complex(1,2);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;/ab/i;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;/é/;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;String;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Kernel;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Math::DomainError;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;S7.new(1,"x");end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;O7.new(3);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;O7.new;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;SS7.new("x");end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;AA7.new([1]);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;HH7[a: 1];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;UD7.new(5);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;UM7.new(6);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;s="x";[s,s];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;a=[];a<<a;a;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[1.5,1.5];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[2**40,"q","q"];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;s="q";[2**40,s,s];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;s="q";[2**70,s,s];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;s="q";["é",s,s];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Object.new.extend(EX7).tap{|o| o.instance_variable_set(:@a,1)};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;"x".dup.tap{|s| s.instance_variable_set(:@i,1)};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[].tap{|s| s.instance_variable_set(:@i,1)};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Proc.new{};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;$stdout;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;o=Object.new;def o.x;end;o;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Mutex.new;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;method(:p);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;RuntimeError.new("boo");end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Object.new.then{[_1,_1]};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[nil,true,:a,:b,:a,"é","é"];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Encoding::UTF_8;end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;Random.new(3);end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;[:é,:é];end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load(Marshal.dump(begin;{1=>{2=>3}};end)).then{|q| q.is_a?(Numeric)||q.is_a?(String)||q.is_a?(Hash)||q.is_a?(Array)&&q.inspect.size<60 ? q : q.class}
Marshal.load("")
Marshal.load("\x04\x08")
Marshal.load("\x03\x08i\x00")
Marshal.load("\x04\x08o:\bFoo\x00")
Marshal.load(1)
Marshal.load("\x04\x08[\x07i\x06")
Marshal.dump([[[1]]],2)
Marshal.dump([[1]],3)
Marshal.dump(1,1,2,3)
Marshal.load("\x04\bi\x06", ->(x){x+1})
Marshal.load(Marshal.dump([1,"a",[2]]), ->(x){p x; x})
Marshal.load(Marshal.dump(["a",{b: "c"}]), freeze: true).then{|q| [q.frozen?,q[0].frozen?,q[1].frozen?,q[1][:b].frozen?]}
Marshal.load("\x04\x08?")
Marshal.load("\x04\bc\bFoo")
Marshal.load("\x04\bm\vString")
Marshal.load("\x04\b@\x06")
Marshal.load("\x04\b;\x06")
Marshal::MAJOR_VERSION
Marshal.dump("a",Object.new)
Marshal.load(Marshal.dump(O7.new([1,2]))).x
Marshal.load(Marshal.dump(UD7.new(5))).v
Marshal.load(Marshal.dump(UM7.new(5))).v
Marshal.load(Marshal.dump(S7.new(1,[2])))
Marshal.load(Marshal.dump(Hash.new(5)))[1]
e=Marshal.load(Marshal.dump(RuntimeError.new("boo")));[e.message,e.backtrace]
Marshal.load(Marshal.dump("é")).encoding
Marshal.load(Marshal.dump("a".encode("Shift_JIS"))).encoding
Marshal.load(Marshal.dump({a: 1}.compare_by_identity)).compare_by_identity?
Marshal.load(Marshal.dump(Object.new.extend(EX7))).singleton_class.include?(EX7)
Marshal.load(Marshal.dump(/ab/i))
Marshal.load(Marshal.dump(1..2))
Marshal.load("\x04\bS:\aS7\x06:\x06qi\x06")
Marshal.load("\x04\bo:\vString\x00")
a=[];a<<a;b=Marshal.load(Marshal.dump(a));b[0].equal?(b)
s="x";b=Marshal.load(Marshal.dump([s,s]));b[0].equal?(b[1])
CASES
