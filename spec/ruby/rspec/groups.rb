# Groups, hooks, `let`, shared examples, pending and skipped examples of spec/rspec.
$LOAD_PATH.unshift File.expand_path("../../rspec", __dir__)
require "rspec"

$log = []
RSpec.configure do |config|
  config.before(:each) { $log << :config }
  config.filter_run_excluding slow: true
end

shared_examples "sized" do |size|
  it("has a size") { expect(subject.size).to eq(size) }
end

describe Array do
  before(:all) { @all = [1] }
  before { $log << :outer }
  after { $log << :after }
  let(:item) { $log << :let; 1 }
  subject { [item, item] }

  it("names its class") { expect(described_class).to equal(Array) }
  it("memoizes") { 2.times { subject } }
  it("sees before(:all)") { expect(@all).to eq([1]) }
  it { is_expected.to include(1) }
  it("is slow", :slow) { raise }
  it "is to be written"
  xit("is left out") { raise }
  it("fails as expected") { pending("later"); raise "no" }
  it("should have failed") { pending("later") }
  it("skips") { skip("not here"); raise }
  it("fails") { expect(1).to eq(2) }
  it("raises") { raise ArgumentError, "bad" }

  context "inside" do
    let(:item) { super() + 10 }
    before { $log << :inner }
    around { |example| $log << :around; example.run }
    it("overrides") { expect(item).to eq(11) }
    include_examples "sized", 2
    it_behaves_like("sized", 2) { let(:item) { 0 } }
    it_behaves_like("sized", 3)
  end

  describe "with a failing hook" do
    before { raise "hook" }
    it("does not run") { $log << :never }
  end
end

report = RSpec.run([])
puts report.summary, report.passed, "pending:", report.pending, "failed:"
report.failures.each { |each| puts "#{each.description}: #{each.error.class}: #{each.error.message}" }
p $log
