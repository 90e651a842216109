# The language of a Gemfile: what becomes of each line, and how mistakes are shown.
require "tmpdir"
require "bundler"
Bundler.ui = Bundler::UI::Silent.new

def read(text, files = {})
  Dir.mktmpdir do |folder|
    folder = File.realpath(folder)
    Dir.chdir(folder) do
      File.write("Gemfile", text)
      files.each { |name, contents| File.write(name, contents) }
      Bundler.reset!
      definition = Bundler::Dsl.evaluate(Pathname.new("Gemfile").expand_path, nil, {})
      definition.dependencies.each do |each|
        puts [each.name, each.requirement, each.groups.join("+"), each.autorequire.inspect, each.platforms.join("+"), each.should_include?.inspect, each.source.class, each.to_lock.strip].join(" | ")
      end
      puts "groups #{definition.groups.inspect}, ruby #{definition.ruby_version.inspect && definition.ruby_version&.versions.inspect}"
    rescue Bundler::BundlerError => error
      puts "#{error.class} (#{error.status_code}): #{error.message.gsub(folder, "DIR")}"
    end
  end
  puts "--"
end

SERVER = "source 'https://rubygems.org'\n"
read SERVER + <<'T'
gem 'a', '~> 1.0', '>= 1.0.3'
gem 'b', require: %w[x y], groups: [:test, :development]
gem 'c', require: true, platforms: [:mri, :jruby]
gem 'd', platform: :jruby
gem 'e', install_if: -> { false }, require: false
group :one, optional: true do
  gem 'f', group: :two
end
ruby '>= 2.5', '< 9'
T
read SERVER + <<'T', { "More" => "gem 'g'\n" }
git_source(:ours) { |name| "https://git.example.org/#{name}.git" }
gem 'a', github: 'x/y', branch: 'main'
gem 'b', ours: 'z', ref: 'abcdef'
gem 'c', path: 'vendor/c'
git 'https://git.example.org/m.git', tag: 'v1' do
  gem 'd'
end
source('https://other.example.org') { gem 'e' }
path('engines') { gem 'f' }
eval_gemfile 'More'
T
read SERVER + "gemspec\ngem 'rake'\n", { "own.gemspec" => "Gem::Specification.new { |s| s.name = 'own'; s.version = '1.2'; s.summary = 's'; s.authors = ['a']; s.add_development_dependency 'rspec', '~> 3' }\n" }
read SERVER + "gem 'a', '1'\ngem 'a', '2'\n"
read SERVER + "gem :a\n"
read SERVER + "\ngem 'a', foo: 1\n# end\n"
read SERVER + "gem 'b'\ngm 'a'\n"
read SERVER + "raise 'oops'\n"
read SERVER + "gemspec\n"
read SERVER + "git 'x'\n"
