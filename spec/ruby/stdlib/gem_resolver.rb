# Gem::Resolver: which versions are chosen, in which order, from which sets, and how failures are told.
require "rubygems/resolver"
require "rubygems/request_set"
require "rubygems/available_set"
require "rubygems/dependency_list"
require "pp"
require "uri"
require "tmpdir"
require "fileutils"

def made(name, version, needs = {}, platform: "ruby", **values)
  Gem::Specification.new do |spec|
    spec.name, spec.version, spec.platform = name, version, platform
    spec.summary, spec.authors, spec.files = "Sum", ["Ann"], []
    needs.each { |other, requirement| spec.add_dependency(other, *requirement) }
    values.each { |field, value| spec.public_send("#{field}=", value) }
  end
end

# What there is, in memory.
class Shelf < Gem::Resolver::Set
  attr_reader :asked

  def initialize(*specs)
    super()
    @specs, @asked = specs, []
  end

  def find_all(request)
    @asked << request.to_s
    @specs.select { |spec| request.match?(spec, prerelease) }.map { |spec| Gem::Resolver::InstalledSpecification.new(self, spec) }
  end
end

def resolve(shelf, *needed, **options)
  needed = needed.map { |each| each.is_a?(Gem::Dependency) ? each : Gem::Dependency.new(*each) }
  resolver = Gem::Resolver.new(needed, shelf)
  options.each { |name, value| resolver.public_send("#{name}=", value) }
  chosen = resolver.resolve
  puts chosen.map { |each| "#{each} for #{each.request} by #{each.parent || "user"}" }, "--"
  p resolver.missing.map(&:to_s) unless resolver.missing.empty?
  chosen
rescue Gem::Exception => error
  puts "#{error.class}: #{error.message}", "--"
end

shelf = Shelf.new(
  made("a", "1", { "b" => "~> 1.0", "c" => ">= 1" }), made("a", "2", { "b" => "~> 2.0", "c" => "< 2" }), made("b", "1.0"), made("b", "1.5", { "d" => "= 1" }), made("b", "2.0", { "d" => "> 1" }),
  made("c", "1", { "e" => [] }), made("c", "2"), made("d", "1"), made("d", "2"), made("d", "3.a"), made("e", "1", { "d" => "< 2" }), made("e", "2", { "d" => [">= 1", "< 3"] }),
  made("f", "1", { "a" => "1", "b" => "> 1" }), made("g", "1", { "nothing" => "> 3" }), made("h", "1", { "i" => [] }), made("i", "1", { "h" => [] }), made("j", "1", { "j2" => "> 1" }),
  made("j", "0.5"), made("j2", "1"), made("k", "1", {}, platform: "java"), made("l", "1"), made("l", "1", {}, platform: Gem::Platform.local.to_s), made("m", "1", {}, required_ruby_version: "> 9"), made("m", "0.1"),
  made("n", "1", {}, required_ruby_version: "> 9"), made("o", "1", { "b" => "1.0" }), made("q", "1", { "b" => "2.0", "o" => [] }), made("dev", "1")
)
shelf.instance_variable_get(:@specs).last.add_development_dependency("c", "1")
shelf.instance_variable_get(:@specs).last.add_dependency("b", "1.0")

[[["a"]], [["a"], ["c", "2"]], [["f"]], [["e"], ["d"]], [["d"]], [["a"], ["b"]], [["b", "1.5"], ["a"]], [["l"]], [["m"]], [["dev"]], [["a", "2"], ["e", "1"]], [["c"], ["b"], ["a"]], [["j", "0.5"]]].each { |needed| resolve(shelf, *needed) }
resolve(shelf, ["dev"], development: true)
resolve(shelf, ["dev"], ["a"], development: true, development_shallow: true)
resolve(shelf, ["a"], ignore_dependencies: true)
resolve(shelf, ["g"], ["b", "1.0"], soft_missing: true)
resolve(shelf, ["b"], skip_gems: { "b" => [made("b", "1.0")] })
resolve(shelf, ["nothing"])
resolve(shelf, ["g"])
resolve(shelf, ["k"])
resolve(shelf, ["q"])
resolve(shelf, ["b", "1.0"], ["b", "2.0"])
resolve(shelf, ["o"], ["b", "> 1"])
resolve(shelf, ["f"], ["b", "2.0"])
resolve(shelf, ["a", "2"], ["d", "1"])
shelf.prerelease = true
resolve(shelf, ["d"])
shelf.prerelease = false
resolve(shelf, Gem::Dependency.new("d", ">= 3.a"))

# a deeper choice: the newest ones do not go together
deep = (1..4).flat_map { |at| (1..4).map { |version| made("s#{at}", version.to_s, at < 4 ? { "s#{at + 1}" => "<= #{version}" } : { "t" => "= #{version}" }) } } + [made("t", "1"), made("t", "4"), made("u", "1", { "t" => "< 3" })]
resolve(Shelf.new(*deep), ["s1"])
resolve(Shelf.new(*deep), ["s1"], ["u"])
resolve(Shelf.new(*deep), ["u"], ["s1"], ["s3", "> 1"])
resolve(Shelf.new(*deep), ["u"], ["s1", "> 1"], ["s4", "> 1"])

chosen = resolve(shelf, ["a", "2"])
request = Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("x", "> 1"), chosen.last)
p request.explicit?, request.implicit?, request.name, request.type, request.requirement.to_s, request.development?, request.request_context.to_s, request == Gem::Dependency.new("x", "> 1"), request == 3
p request.match?(made("x", "2")), request.match?(made("x", "2.a")), request.match?(made("x", "2.a"), true), request.matches_spec?(made("x", "2.a"))
one = chosen.last
p one.name, one.version.to_s, one.platform, one.full_name, one.to_s, one.development?, one.installed?, one.full_spec.class, one == one.dup, one == one.full_spec, one.hash == one.dup.hash
p one.request.class, one.parent
conflict = Gem::Resolver::Conflict.new(request, one)
p conflict.explain, conflict.for_spec?(made("x", "1")), conflict.conflicting_dependencies.map(&:to_s), conflict.requester == one, conflict == conflict.dup
puts conflict.explanation, conflict.request_path(nil)
pp request, one, conflict, Gem::Resolver::Conflict.new(request, one, one.request)
begin
  conflict.request_path(3)
rescue Gem::Exception => error
  p error.class, error.message
end

list = Gem::Resolver::RequirementList.new
exact = Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("y", "= 1"), nil)
p list.empty?, list.add(request).equal?(request), list.add(exact).equal?(exact), list.size, list.map(&:to_s), list.next5.map(&:to_s), list.dup.remove.to_s, list.remove.to_s, list.remove.to_s, list.remove
stats = Gem::Resolver::Stats.new
stats.requirement!
stats.backtracking!
2.times { stats.iteration! }
stats.record_depth([1, 2, 3])
stats.record_requirements([1])
stats.display

set = Gem::Resolver::Set.new
p set.remote?, set.prerelease, set.errors, set.prefetch([]), (begin; set.find_all(request); rescue NotImplementedError; $!.class; end)
other = Shelf.new(made("b", "9"))
both = Gem::Resolver.compose_sets(nil, shelf, Gem::Resolver::ComposedSet.new(other))
p both.class, both.sets.size, Gem::Resolver.compose_sets(shelf).equal?(shelf), (Gem::Resolver.compose_sets(nil) rescue $!.message)
both.prerelease = true
both.remote = false
p shelf.prerelease, other.remote?, both.find_all(Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("b"), nil)).map(&:full_name)
resolve(both, ["a"], ["b"])

Dir.mktmpdir do |dir|
  dir = File.realpath(dir)
  vendor = Gem::Resolver::VendorSet.new
  FileUtils.mkdir_p("#{dir}/v")
  File.write("#{dir}/v/v.gemspec", made("v", "3", { "w" => [] }).to_ruby)
  spec = vendor.add_vendor_gem("v", "#{dir}/v")
  p spec.full_name, spec.full_gem_path == "#{dir}/v", vendor.specs.keys, vendor.load_spec("v", "3", "ruby", nil).equal?(spec), (vendor.load_spec("w", "3", "ruby", nil) rescue $!.class)
  puts (vendor.add_vendor_gem("q", dir) rescue $!.message.sub(dir, "DIR"))
  found = vendor.find_all(Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("v"), nil))
  p found.size, found.first.class, found.first.source.class, found.first.source.uri == "#{dir}/v", found.first.full_name, found.first.install { |installer| p installer }
  resolve(vendor, ["v"])
  resolve(Gem::Resolver.compose_sets(vendor, Shelf.new(made("w", "1"), made("v", "2"), made("v", "4"))), ["v"]).each { |each| p each.spec.class, each.installed? }
  lock = Gem::Resolver::LockSet.new([Gem::Source.new("http://gems.example")])
  locked = lock.add("z", "1.2", Gem::Platform::RUBY).first
  locked.add_dependency(Gem::Dependency.new("w", "> 0"))
  p locked.class, locked.name, locked.version, locked.source.class, locked.sources.size, locked.spec.dependencies.map(&:to_s), lock.specs.size, locked.full_name
  p lock.find_all(Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("z", "> 1"), nil)).size
  pp found.first.class.superclass, locked.class.superclass, Gem::Resolver::LocalSpecification.superclass, Gem::Resolver::IndexSpecification.superclass
  index = Gem::Resolver::IndexSpecification.new(nil, "i", Gem::Version.new("1"), Gem::Source.new("http://gems.example"), "ruby")
  p index == Gem::Resolver::IndexSpecification.new(3, "i", Gem::Version.new("1"), nil, "ruby"), index.full_name, index.platform, index.local?
end
puts (Gem::Resolver.new([], Shelf.new).resolve).inspect, Gem::Resolver.for_current_gems([Gem::Dependency.new("json")]).resolve.map(&:name).inspect
puts (Gem::Resolver.for_current_gems([Gem::Dependency.new("no-such-gem-here")]).resolve rescue $!.message)

sources = [Gem::Source.new("http://a"), Gem::Source.new("http://b"), Gem::Source::Installed.new, Gem::Source::Local.new, Gem::Source::Lock.new(Gem::Source.new("http://a")), Gem::Source::Vendor.new("x")]
sources.each { |one| puts sources.map { |two| (one <=> two).inspect }.join(" ") }
p sources[0] == Gem::Source.new("http://a"), sources[4] == Gem::Source::Lock.new(Gem::Source.new("http://a")), sources[4].uri.to_s, sources[2].download(1, 2), (sources[0] <=> 3)

available = Gem::AvailableSet.new
available.add(made("a", "1"), sources[3]).add(made("a", "2"), sources[0])
available << [[made("b", "1", {}, platform: "java"), sources[0]]]
p available.size, available.empty?, available.all_specs.map(&:full_name), available.sorted.map { |each| each.spec.full_name }, available.source_for(made("a", "2")).uri.to_s
p available.match_platform!.size, available.find_all(Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("a", "< 2"), nil)).map(&:class), available.each_spec.map(&:full_name)
p available.to_request_set.dependencies.map(&:to_s), available.pick_best!.all_specs.map(&:full_name), (available << 3 rescue $!.message), (available << [[1, 2]] rescue $!.message)

depends = Gem::DependencyList.new
depends.add(made("one", "1", { "two" => ">= 1" }), made("two", "1", { "three" => [] }), made("two", "2"), made("three", "1"), made("four", "1", { "five" => [] }))
p depends.dependency_order.map(&:full_name), depends.map(&:name), depends.find_name("two-1").name, depends.ok?, depends.why_not_ok?.transform_values { |list| list.map(&:to_s) }
p depends.ok_to_remove?("two-1"), depends.ok_to_remove?("three-1"), depends.ok_to_remove?("none"), depends.spec_predecessors.to_h { |spec, list| [spec.full_name, list.map(&:full_name)] }
depends.remove_by_name("four-1")
depends.remove_specs_unsatisfied_by("two" => Gem::Dependency.new("two", "> 1"))
p depends.specs.map(&:full_name), depends.ok?, depends.inspect[/ \[.*/], depends.clear, depends.to_a
p Gem.use_gemdeps, (Gem::Specification.find_by_name("json").traverse { |*| nil }).class
