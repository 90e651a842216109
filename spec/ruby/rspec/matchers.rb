# Matchers of spec/rspec: a line each, with what it says when it fails.
$LOAD_PATH.unshift File.expand_path("../../rspec", __dir__)
require "rspec"

$holder = Object.new.extend(RSpec::Matchers)
def check(name, &block)
  $holder.instance_exec(&block)
  puts "#{name}: yes"
rescue RSpec::Expectations::ExpectationNotMetError => e
  puts "#{name}: no: #{e.message.lines.first}"
end

{ eq: 1, eql: 1.0, equal: 1, be: 2 }.each { |name, value| check(name) { expect(1).to __send__(name, value) } }
check("not") { expect(1).not_to eq(1) }
check("be >") { expect(2).to be > 1 }
check("be <") { expect(2).to be < 1 }
check("truthy") { expect(nil).to be_truthy }
check("falsey") { expect(nil).to be_falsey }
check("nil") { expect(nil).to be_nil }
check("predicate") { expect([]).to be_empty }
check("predicate no") { expect([1]).to be_empty }
check("predicate missing") { expect(1).to be_wonderful }
check("have_key") { expect({ a: 1 }).to have_key(:a) }
check("a kind") { expect(1).to be_a(Numeric).and be_an(Integer) }
check("instance") { expect(1).to be_instance_of(Numeric) }
check("include") { expect([1, 2]).to include(1, 2) }
check("include no") { expect("abc").to include("b", "d") }
check("include pair") { expect({ a: 1, b: 2 }).to include(a: be_a(Integer)) }
check("not include") { expect([1, 2]).not_to include(1, 3) }
check("contain") { expect([2, 1, 1]).to contain_exactly(1, 2, 1) }
check("contain no") { expect([2, 1]).to match_array([1, 3]) }
check("match") { expect("abc").to match(/b/) }
check("match parts") { expect([1, { a: "x" }]).to match([be > 0, { a: /x/ }]) }
check("start end") { expect("abc").to start_with("a").and end_with("c") }
check("respond") { expect("").to respond_to(:size, :nothing) }
check("within") { expect(1.05).to be_within(0.1).of(1) }
check("between") { expect(5).to be_between(1, 3) }
check("attributes") { expect("abc").to have_attributes(size: 3, upcase: "ABC") }
check("satisfy") { expect(3).to satisfy { |n| n.odd? } }
check("all") { expect([1, 3]).to all(be_odd) }
check("raise") { expect { raise ArgumentError, "bad thing" }.to raise_error(ArgumentError, /bad/) }
check("raise text") { expect { raise "x" }.to raise_error("x") }
check("raise block") { expect { raise "x" }.to raise_error { |e| expect(e.message).to eq("y") } }
check("raise other") { expect { raise KeyError, "k" }.to raise_error(ArgumentError) }
check("raise none") { expect { 1 }.to raise_error(ArgumentError) }
check("not raise") { expect { raise "x" }.not_to raise_error }
check("throw") { expect { throw :done }.to throw_symbol(:done) }
check("change") { a = []; expect { a << 1 }.to change { a.size }.from(0).to(1) }
check("change by") { a = []; expect { a << 1 }.to change(a, :size).by(2) }
check("output") { expect { puts "hi" }.to output(/hi/).to_stdout }
check("yield") { expect { |probe| [1, 2].each(&probe) }.to yield_successive_args(1, 2) }
check("yield args") { expect { |probe| probe.to_proc.call(1) }.to yield_with_args(2) }
check("or") { expect(1).to eq(2).or eq(1) }
RSpec::Matchers.define(:be_twice) { |half| match { |actual| actual == half * 2 } }
check("defined") { expect(4).to be_twice(2) }
check("defined no") { expect(5).to be_twice(2) }
