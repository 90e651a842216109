require "rubygems"
folder = File.expand_path("fixtures/gems", __dir__)
Gem.use_paths(folder, [folder])
p Gem::Specification.find_by_name("sample_gem").version.to_s, Gem::Specification.find_all_by_name("sample_gem").map { |spec| spec.version.to_s }.sort, Gem::Specification.find_by_name("sample_gem", "~> 1.1.0").full_name
p Gem::Specification.find_all_by_name("nothing"), Gem.loaded_specs.key?("sample_gem")
begin
  Gem::Specification.find_by_name("nothing")
rescue Gem::MissingSpecError => e
  p e.class, e.name, e.message.lines.first[/\A.*\)/][0, 35], e.is_a?(LoadError)
end
begin
  gem "sample_gem", "> 5"
rescue Gem::LoadError => e
  p e.class, e.message.lines.first.chomp[0, 60]
end
p require("sample_gem"), SampleGem.greet, SampleGem::VERSION, require("sample_gem"), $LOADED_FEATURES.grep(/sample/).map { |path| File.basename(path) }
p Gem.loaded_specs["sample_gem"].version.to_s, Gem.loaded_specs["sample_dep"].name, gem("sample_gem"), Gem.loaded_specs["sample_gem"].gem_dir == File.join(folder, "gems", "sample_gem-1.2.0")
begin
  gem "sample_gem", "1.1.0"
rescue Gem::LoadError => e
  p e.class, e.message
end
begin
  require "sample_gem/absent"
rescue LoadError => e
  p e.class, e.message, e.path
end
v = %w(1.0 1.0.0 1.0.a 1.10 1.9 2.0.0.rc1 2).map { |text| Gem::Version.new(text) }
p v.sort.map(&:to_s), Gem::Version.new("1.0") == Gem::Version.new("1.0.0"), v[2].prerelease?, v[3].bump.to_s, v[5].release.to_s, v[3].segments, v[3].approximate_recommendation
p Gem::Requirement.new("~> 1.2", "!= 1.3").satisfied_by?(Gem::Version.new("1.4")), Gem::Requirement.new("~> 1.2.3") === Gem::Version.new("1.3"), Gem::Requirement.new(">= 1").to_s, Gem::Dependency.new("x", "~> 1").to_s
p (Gem::Version.new("junk") rescue [$!.class, $!.message]), (Gem::Requirement.new("=> 1") rescue [$!.class, $!.message]), Gem::Version.correct?("1.a"), Gem::Version.create(nil)
