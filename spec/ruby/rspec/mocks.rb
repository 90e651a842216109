# Doubles and message expectations of spec/rspec.
$LOAD_PATH.unshift File.expand_path("../../rspec", __dir__)
require "rspec"

class Machine
  def self.find(name) = "found #{name}"
  def run(a, b = 2, k: 3) = [a, b, k]
  def ask = secret
  private def secret = :real
end
LIMIT = 1

describe "mocks" do
  let(:machine) { Machine.new }

  it("answers in turn") { allow(machine).to receive(:run).and_return(1, 2); expect([machine.run, machine.run, machine.run]).to eq([1, 2, 2]) }
  it("tells arguments apart") do
    allow(machine).to receive(:run).and_call_original
    allow(machine).to receive(:run).with(1, kind_of(String)).and_return(:stub)
    expect([machine.run(1, "x"), machine.run(1, k: 9)]).to eq([:stub, [1, 2, 9]])
  end
  it("takes a block") { allow(machine).to receive(:run) { |a, k: 0| [a, k] }; expect(machine.run(5, k: 6)).to eq([5, 6]) }
  it("stubs class methods") { allow(Machine).to receive(:find).with("a").and_return(:a); expect(Machine.find("a")).to eq(:a) }
  it("puts them back") { expect(Machine.find("a")).to eq("found a") }
  it("keeps privacy") { allow(machine).to receive(:secret).and_return(:stub); expect([machine.ask, (machine.secret rescue :private)]).to eq([:stub, :private]) }
  it("any instance") { allow_any_instance_of(Machine).to receive(:ask).and_return(7); expect(Machine.new.ask).to eq(7) }
  it("raises") { allow(machine).to receive(:ask).and_raise(KeyError, "k"); expect { machine.ask }.to raise_error(KeyError, "k") }
  it("yields") { allow(machine).to receive(:ask).and_yield(1).and_yield(2); seen = []; machine.ask { |n| seen << n }; expect(seen).to eq([1, 2]) }
  it("wraps") { allow(machine).to receive(:run).and_wrap_original { |method, *args| method.call(*args).reverse }; expect(machine.run(1)).to eq([3, 2, 1]) }
  it("counts") { expect(machine).to receive(:ask).twice; 2.times { machine.ask } }
  it("misses a call") { expect(machine).to receive(:ask) }
  it("misses the second") { expect(machine).to receive(:ask).exactly(2).times; machine.ask }
  it("sees one too many") { expect(machine).to receive(:ask).once; 2.times { machine.ask } }
  it("sees a forbidden one") { expect(machine).not_to receive(:ask); machine.ask }
  it("sees wrong arguments") { expect(machine).to receive(:run).with(1); machine.run(2) }
  it("spies") { allow(machine).to receive(:run); machine.run(1); expect(machine).to have_received(:run).with(1) }
  it("doubles") { made = double("made", a: 1, b: double(c: 2)); expect([made.a, made.b.c]).to eq([1, 2]) }
  it("doubles refuse") { double("made").other(1) }
  it("instance doubles") { expect(instance_double(Machine, ask: 1)).to be_a(Machine) }
  it("chains") { allow(machine).to receive_message_chain("a.b.c").and_return(3); expect(machine.a.b.c).to eq(3) }
  it("constants") { stub_const("LIMIT", 2); expect(LIMIT).to eq(2) }
  it("constants back") { expect(LIMIT).to eq(1) }
  it("hash arguments") { allow(machine).to receive(:run).with(hash_including(a: 1)).and_return(:ok); expect(machine.run({ a: 1, b: 2 })).to eq(:ok) }
end

report = RSpec.run([])
puts report.summary, report.passed, "failed:"
report.failures.each { |each| puts "#{each.description}: #{each.error.class}: #{each.error.message.lines.first}" }
