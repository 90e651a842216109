# What a specification keeps of what it is given, and its forms: YAML, Ruby, Marshal.
require "rubygems"
begin
  require "rubygems/specification_more"
rescue LoadError
  nil
end
require "yaml"

ENV["SOURCE_DATE_EPOCH"] = "1600000000"
full = Gem::Specification.new do |s|
  s.name = "full"
  s.version = "1.2.pre"
  s.summary = " S is\n   one-\n two"
  s.authors = ["A", ["B", nil]]
  s.files = ["b.rb", "a.rb", "lib/c.rb", "ext/d.rb", "a.rb"]
  s.add_dependency "rake", "~> 13", "!= 13.1"
  s.add_development_dependency("rspec")
  s.add_runtime_dependency "exact", "= 1"
  s.add_dependency Gem::Dependency.new("given", ["> 1", "< 3"], :development)
  s.add_dependency "list", [">= 1", "< 2"]
  s.homepage = "http://x"
  s.licenses = ["MIT", "=", "no"]
  s.metadata = { "b" => "c", "a" => "b: x" }
  s.description = "Long\n text é \"q\" \#{x}"
  s.email = ["a@b", "c"]
  s.executables = ["foo"]
  s.bindir = "exe"
  s.extensions = ["ext/x/extconf.rb"]
  s.extra_rdoc_files = ["README"]
  s.rdoc_options = ["--main", "README"]
  s.required_ruby_version = [">= 2.3", "< 4"]
  s.requirements = ["libfoo"]
  s.post_install_message = "Hi\nthere\n"
  s.platform = "x86_64-linux"
  s.test_files = ["test/a.rb"]
  s.require_paths = ["lib", "ext"]
  s.cert_chain = ["c"]
  s.signing_key = "k"
  s.autorequire = "full"
  s.rubyforge_project = "x"
end
installed = full.dup
installed.installed_by_version = "3.2"
simple = Gem::Specification.new("simple", "1")
[full, installed, simple].each do |spec|
  puts spec.to_yaml, spec.to_ruby
  again = Gem::Specification.from_yaml(spec.to_yaml)
  p again == spec, again.to_yaml == spec.to_yaml, again.platform.to_s, again.original_platform.to_s, again.date, again.loaded_from
  made = eval(spec.to_ruby)
  p made == spec, made.to_ruby == spec.to_ruby, made.installed_by_version, made.dependencies == spec.dependencies
  read = Marshal.load(Marshal.dump(spec))
  p read.name, read.version, read.summary, read.authors, read.dependencies, read.platform.to_s, read.metadata, read.date, read.licenses, read.files
end
p full.file_name, full.spec_name, full.full_name, full.original_name, full.name_tuple, full.lib_files, full.summary, full.description, full.authors
p full.required_rubygems_version.to_s, full.removed_method_calls, full.raw_require_paths, full.author, full.license, full.test_file, full.executable
p full.files, full.for_cache.files, full.for_cache.test_files, full.dup.files.equal?(full.files), full.runtime_dependencies.size, full.development_dependencies.map(&:name)
puts full.to_ruby_for_cache
p simple.date, simple.installed_by_version, simple.files, simple.description, simple.default_value(:bindir), simple.default_value(:name)
p Gem::Specification.required_attributes, Gem::Specification.required_attribute?(:name), Gem::Specification.array_attributes.sort, Gem::Specification.non_nil_attributes.sort, Gem::Specification.attribute_names.sort
p Gem::Specification::CURRENT_SPECIFICATION_VERSION, Gem::Specification::NONEXISTENT_SPECIFICATION_VERSION

[["2001-02-03"], ["2001-02-03 04:05:06.7 Z"], [Time.utc(2001, 2, 3, 23)], ["foo"], ["2001-2-3"]].each do |(date)|
  simple.date = date
  p simple.date
rescue StandardError => error
  p error.class, error.message
end
["java", Gem::Platform.new("java"), "mswin32", "i586-linux", "powerpc-darwin", "ruby", nil].each do |platform|
  spec = Gem::Specification.new("plat", "2")
  spec.platform = platform
  p [spec.platform.to_s, spec.original_platform.to_s, spec.full_name, spec.original_name, spec.to_yaml[/^platform: .*/], spec.to_ruby[/s\.platform.*/]]
end
["~> 2.2.3.4", ">= 2.2.3.4", "~> 2.0.0.1", "2.3", [">= 1", "< 3"]].each do |requirement|
  simple.required_ruby_version = requirement
  p simple.required_ruby_version.to_s
end
simple.version = "3.b"
p simple.required_rubygems_version.to_s, Gem::Specification.new("rubygems", "3.b").required_rubygems_version.to_s
["--- a", "", "--- []", "--- !ruby/object:Gem::Specification\nname: old\nversion: !ruby/object:Gem::Version\n  version: '1.0'\ndate: 2011-04-26 00:00:00.000000000Z\nfiles: \n- a\ndefault_executable: \n"].each do |text|
  spec = Gem::Specification.from_yaml(text)
  p spec.name, spec.version.to_s, spec.date, spec.files, spec.require_paths, spec.executables
rescue StandardError => error
  p error.class
end
doubled = Gem::Specification.new("d", "1") { |s| s.files = %w[a b a lib]; s.extra_rdoc_files = %w[r r]; s.executables = %w[x x] }
doubled.normalize
p doubled.files, doubled.extra_rdoc_files, doubled.executables
full.sanitize
full.abbreviate
p full.files, full.test_files, full.rdoc_options
p YAML.load(YAML.dump(Gem::Dependency.new("x", "~> 1")), permitted_classes: [Gem::Dependency, Gem::Requirement, Gem::Version, Symbol], aliases: true)
puts Gem::Dependency.new("x", "~> 1").to_yaml
begin
  p Gem::Specification.new("a", "1").validate(false)
rescue StandardError => error
  p error.class, error.message
end
