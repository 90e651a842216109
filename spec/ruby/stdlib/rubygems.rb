# Versions, requirements, dependencies, and what is said of gems that are not there.
require "rubygems"
def t(label = nil)
  result = yield
  puts "#{label}: #{result.inspect.gsub(/0x\h+/, "0x")}"
rescue LoadError, StandardError => error
  puts "#{label}: #{error.class}: #{error.message.lines.first.sub(/among \d+ /, "among ")}"
end
V, R, D, S = Gem::Version, Gem::Requirement, Gem::Dependency, Gem::Specification
vs = ["1", "1.0", "1.0.0", "1.2.3", "1.2.b1", "1.2.3.a", "1.2.3.rc1", "1.2.3.rc.1", "0", "", " 1.0 ", "1.a.2", "5.3.1.b.2", "5.a", "2.9", "10.0.0-alpha-2", "1.2-3", "1.8.2.b10", "1.A", "1.0.0.pre"]
vs.each { |v| x = V.new(v); %i(bump release segments canonical_segments prerelease? approximate_recommendation to_s inspect version).each { |m| t("#{v} #{m}") { x.send(m) } } }
vs.product(vs).each { |a, b| t("#{a} <=> #{b}") { [V.new(a) <=> V.new(b), V.new(a).eql?(V.new(b)), V.new(a) == V.new(b)] } }
["junk", "1.", ".1", "1..2", "1\n2", "1.2 3", "-1", 1, 1.5, :a, [], "1.2.3\n", "\n1"].each { |v| t("new #{v.inspect}") { V.new(v) }; t("correct #{v.inspect}") { V.correct?(v) }; t("create #{v.inspect}") { V.create(v) } }
t { V.new("1") <=> "1.0" }; t { V.new("1") <=> "junk" }; t { V.new("1") <=> 1 }; t { V.new("1") == "1" }; t { V.new("1") < "2" }; t { V.new("1") < 2 }
t { V.new("1").hash == V.new("1.0").hash }; t { V.new("1.0").frozen? }; t { V.new("1").equal?(V.new("1")) }; t { Marshal.load(Marshal.dump(V.new("1.2.3"))) }; t { V.new("1.2").dup }; t { {V.new("1.0") => 1}[V.new("1.0")] }
t { V.new("1.2").to_yaml rescue require("yaml") && V.new("1.2").to_yaml }; t { V.new("1.2").encode_with({}) }; t { V.new("1").marshal_dump }
t { ["1.10", "1.9", "1.a"].map { V.new(_1) }.sort.map(&:to_s) }; t { ["1.10","1.9"].max_by { V.new(_1) } }
t { V.new("1.2").between?("1", "2") }; t { V.new("1.2").clamp(V.new("2"), V.new("3")) }
t { V.new("1.0").release.equal?(V.new("1.0")) }; t { V.create("1.0").class }; t { V.create(V.new("1")) }; t { V.new(V.new("1")) }
rs = ["= 1", "1", ">= 1.0", "~> 1.2", "~> 1.2.3", "~> 1", "!= 1.2", "> 1", "< 2", "<= 2", "~> 1.a", ">= 1.0.a", "~>1.2", "  >=   1.0  ", "=1", "1.0.pre"]
rs.each { |r| x = R.new(r); %i(to_s as_list inspect requirements none? exact? prerelease? specific? for_lockfile hash).each { |m| next if m == :hash; t("#{r} #{m}") { x.send(m) } }; vs.each { |v| t("#{r} sat #{v}") { [x.satisfied_by?(V.new(v)), x === V.new(v), x =~ V.new(v)] } } }
["junk", "=> 1", "1 2", ">", "> ", "", nil, [], [">= 1", "< 2"], ["1", nil], 1, :a, "=", ">= junk", "~> ", "= 1, < 2", {}, V.new("3"), [V.new("3")]].each { |r| t("Rnew #{r.inspect}") { R.new(r) }; t("Rcreate #{r.inspect}") { R.create(r) }; t("Rparse #{r.inspect}") { R.parse(r) } }
t { R.create(">= 1", "< 2") }; t { R.create([">= 1", "< 2"]).to_s }; t { R.new("< 2", ">= 1").to_s }; t { R.new("< 2", ">= 1") == R.new(">= 1", "< 2") }; t { R.new("1") == R.new("1.0") }; t { R.new("~> 1") == R.new("~> 1.0") }; t { R.new("= 1").eql?(R.new("=1")) }
t { R.new("1").satisfied_by?("1") }; t { R.new("1").satisfied_by?(nil) }; t { R.default }; t { R.default_prerelease }; t { R.source_set rescue $!.class }; t { R.new.to_s }; t { R.new(">= 0").none? }; t { R.new("1").concat(["> 0"]); }; t { x = R.new("1"); x.concat([">0"]); x }; t { R.new("> 1", "> 1").to_s }; t { R.constants.sort }; t { R::OPS.keys }; t { R::DefaultRequirement }; t { R::PATTERN }; t { R::PATTERN_RAW }; t { V::VERSION_PATTERN }; t { V::ANCHORED_VERSION_PATTERN }
t { R.instance_methods(false).sort }; t { R.methods(false).sort }
t { R::BadRequirementError.ancestors[0, 3] }; t { Marshal.load(Marshal.dump(R.new("> 1"))) }; t { R.new("> 1").to_yaml }
d = D.new("a", "~> 1.2")
%i(name requirement type to_s inspect prerelease? runtime? latest_version? requirements_list specific? prioritizes_bundler? to_lock all_sources groups source).each { |m| t(m) { d.send(m) } }
t { D.new("a").to_s }; t { D.new("a", "1", "2").to_s }; t { D.new("a", ["1", "2"]).to_s }; t { D.new("a", :development) }; t { D.new("a", :zork) }; t { D.new(1) }; t { D.new("a", "junk") }; t { D.new("a", V.new("1")) }; t { D.new("a", R.new("> 1")) }; t { D.new("a", ["> 1", "< 3"], :development) }
t { d =~ D.new("a", "1.2.3") }; t { d =~ D.new("a", "2") }; t { d =~ D.new("b", "1.2") }; t { d === D.new("a", "1.2.3") }; t { d.match?("a", "1.3") }; t { d.match?("a", "2.3") }; t { d.match?("b", "1.3") }; t { D.new("a").match?("a", "1.a") }; t { D.new("a").match?("a", "1.a", true) }; t { d <=> D.new("b") }; t { d <=> 1 }; t { d == D.new("a", "~> 1.2") }; t { d.eql?(D.new("a", "~> 1.2")) }; t { d.hash == D.new("a", "~> 1.2").hash }; t { d.merge(D.new("a", "> 1")) }; t { d.merge(D.new("b", "> 1")) }; t { d.merge(D.new("a")) }; t { [D.new("b"), D.new("a")].sort.map(&:name) }
t { d.matching_specs }; t { d.to_specs }; t { d.to_spec }; t { d.identity }; t { D.new("a", ">= 1.a").identity }; t { d.matches_spec?(1) }; t { D.instance_methods(false).sort }; t { D::TYPES }; t { d.prerelease = true; d.prerelease? }
t(1) { S.find_by_name("zork") }; t(2) { S.find_by_name("zork", "> 1", "< 2") }; t(3) { S.find_all_by_name("zork") }; t(4) { S.find { |s| s.name == "zork" } }; t(5) { S.stubs_for("zork") }
t(6) { S.find_by_path("zork/x") }; t(7) { gem "zork" }; t(8) { gem "zork", ">= 1", "< 3" }; t(9) { Gem.loaded_specs.key?("zork") }; t(10) { D.new("zork").to_spec }; t(11) { D.new("zork", "1").to_specs }
t(12) { begin; gem "zork", "2"; rescue Gem::LoadError => e; [e.class, e.name, e.requirement.to_s, e.is_a?(LoadError), e.path] end }
t(13) { Gem::MissingSpecError.instance_method(:initialize).arity }; t(14) { S.find_by_name("json").name }; t(15) { S.find_by_name("json", "> 99") }; t(16) { gem "json", "> 99" }; t(17) { S.select { |s| s.name =~ /zork/ } }
t(20) { s = S.new { |it| it.name = "x"; it.version = "1.2" }; [s.full_name, s.to_s] }; t(21) { s = S.new("x", "1"); s.add_dependency("y", "> 1"); s.add_development_dependency("z"); [s.dependencies.map(&:to_s), s.runtime_dependencies.size, s.development_dependencies.size] }
t(22) { s = S.new("x", "1"); [s.platform, s.files, s.require_paths, s.executables, s.authors, s.licenses, s.homepage, s.metadata, s.bindir, s.required_ruby_version.to_s, s.required_rubygems_version.to_s, s.extensions, s.summary, s.test_files, s.activated?] }
t(23) { s = S.new("x", "1"); s.author = "a"; s.license = "MIT"; s.executable = "q"; s.require_path = "l"; [s.authors, s.author, s.licenses, s.license, s.executables, s.executable, s.require_paths, s.require_path] }
t(24) { S.new("x", "junk") }; t(25) { S.new("x", "1") == S.new("x", "1") }; t(26) { S.new("x", "1") <=> S.new("x", "2") }; t(27) { [S.new("b", "1"), S.new("a", "2"), S.new("a", "1")].sort.map(&:full_name) }; t(28) { s = S.new("x", "1"); s.platform = "java"; [s.full_name, s.platform.class] }; t(29) { S.load("/nonexistent") }
t(30) { Gem.find_files("zork/*") }; t(31) { Gem.try_activate("zork") }; t(32) { Gem.bin_path("zork", "zork") }; t(33) { Gem.suffixes }; t(34) { Gem.ruby_api_version }; t(35) { [Gem.win_platform?, Gem.java_platform?] }
["ruby", "x86_64-linux", "java", "x86-mswin32-80", "x86_64-darwin-20", "universal-darwin-19", "i686-linux", "x64-mingw32", "x86_64-linux-musl", "arm-linux"].each { |name| t(name) { platform = Gem::Platform.new(name); [platform.to_s, (platform.to_a unless platform.is_a?(String))] } }
[Gem::MissingSpecError, Gem::ConflictError, Gem::InstallError, Gem::GemNotFoundException, R::BadRequirementError].each { |error| p error.ancestors.first(4).reject { |it| it.name == "DidYouMean::Correctable" }.first(3) }

class A
  extend Gem::Deprecate
  def old(x, y: 1) = [x, y, block_given?]
  def older = 1
  class << self
    extend Gem::Deprecate
    def k = 3
    deprecate :k, "Z.k", 2023, 4
  end
  deprecate :old, :new, 2030, 1
  deprecate :older, :none, 2030, 11
end
p A.new.old(1, y: 2) { }
p A.new.older, A.k
Gem::Deprecate.skip_during { A.k }
