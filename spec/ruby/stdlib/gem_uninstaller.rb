# Gem::Uninstaller and Gem::RequestSet: what is installed into folders, in which order, and removed again.
require "rubygems/uninstaller"
require "rubygems/installer"
require "rubygems/request_set"
require "rubygems/mock_gem_ui"
require "tmpdir"
require "fileutils"
require "pp"

ENV["SOURCE_DATE_EPOCH"] = "1600000000"
File.umask(0o022)
$place = nil
def plain(text) = text.to_s.gsub($place, "DIR")

def try(answers = "")
  ui = Gem::MockGemUi.new(answers)
  result = begin
    Gem::DefaultUserInteraction.use_ui(ui) { yield }
    "done"
  rescue Gem::MockGemUi::TermError => error
    "ends with #{error.exit_code}"
  rescue StandardError => error
    "#{error.class}: #{error.message}"
  end
  puts "=> #{plain(result)}", plain(ui.output), plain(ui.error)
end

def made(name, version, needs = {}, programs: [], files: {})
  files = files.merge(programs.to_h { |program| ["bin/#{program}", "puts '#{name} #{version}'\n"] })
  files.each do |path, text|
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end
  spec = Gem::Specification.new do |s|
    s.name, s.version, s.summary, s.authors, s.files, s.executables = name, version, "Sum", ["Ann"], files.keys, programs
    needs.each { |other, requirement| requirement.is_a?(Symbol) ? s.add_development_dependency(other) : s.add_dependency(other, requirement) }
  end
  Gem::DefaultUserInteraction.use_ui(Gem::SilentUI.new) { Gem::Package.build(spec, true) }
end

def installed(folder) = puts(Dir["#{folder}/{gems,specifications,cache,bin,plugins}/*"].sort.map { |path| plain(path) }, "--")

Dir.mktmpdir do |dir|
  Dir.chdir($place = File.realpath(dir)) do
    ENV["HOME"] = $place
    home = "#{$place}/home"
    FileUtils.mkdir_p(home)
    Gem.use_paths(home)
    made("base", "1.0", programs: %w[base], files: { "lib/base.rb" => "", "lib/rubygems_plugin.rb" => "" })
    made("base", "1.1", programs: %w[base more], files: { "lib/base.rb" => "", "lib/rubygems_plugin.rb" => "" })
    made("base", "2.0", programs: %w[base])
    made("middle", "1", { "base" => "~> 1.0", "tests" => :development })
    made("top", "1", { "middle" => ">= 1", "base" => "> 1.0" })
    made("alone", "1")
    made("tests", "1")
    put = -> { Dir["{base-1,base-2,middle,top,alone}*.gem"].sort.each { |file| Gem::Installer.at(file, wrappers: true, force: true).install } }
    put[]
    installed(home)

    seen = []
    Gem.pre_uninstall { |each| seen << "pre #{each.spec.full_name}" }
    Gem.post_uninstall { |each| seen << "post #{each.spec&.full_name}" }
    try { Gem::Uninstaller.new("nothing").uninstall }
    try { Gem::Uninstaller.new("alone").uninstall }
    try { Gem::Uninstaller.new("alone", version: "> 3").uninstall }
    try("n\n") { Gem::Uninstaller.new("middle").uninstall }
    try { Gem::Uninstaller.new("middle", abort_on_dependent: true).uninstall }
    try("y\n") { Gem::Uninstaller.new("middle").uninstall }
    try { Gem::Uninstaller.new("top", ignore: true).uninstall }
    installed(home)
    try("2\nn\n") { Gem::Uninstaller.new("base").uninstall }
    try("9\n") { Gem::Uninstaller.new("base").uninstall }
    try { Gem::Uninstaller.new("base", version: "1.0", executables: true).uninstall }
    installed(home)
    put[]
    try("4\ny\ny\n") { Gem::Uninstaller.new("base").uninstall }
    installed(home)
    put[]
    try { Gem::Uninstaller.new("base", all: true, executables: true, ignore: true).uninstall }
    put[]
    try { Gem::Uninstaller.new("base", force: true, executables: false, version: "< 2").uninstall }
    try { Gem::Uninstaller.new("base", force: true, executables: true, format_executable: false, bin_dir: "#{home}/bin").uninstall }
    installed(home)
    puts seen, "--"
    Gem.pre_uninstall_hooks.clear
    Gem.post_uninstall_hooks.clear

    other = "#{$place}/other"
    put[]
    Gem::Installer.at("alone-1.gem", install_dir: other).install
    try { Gem::Uninstaller.new("alone", install_dir: other).uninstall }
    Gem.use_paths(home, home, other)
    try { Gem::Uninstaller.new("alone", install_dir: other).uninstall }
    installed(other)
    Gem::Installer.at("tests-1.gem", install_dir: other).install
    try { Gem::Uninstaller.new("tests").uninstall }
    uninstaller = Gem::Uninstaller.new("top", check_dev: true)
    spec = Gem::Specification.find_by_name("middle")
    p uninstaller.dependencies_ok?(spec), uninstaller.path_ok?(home, spec), uninstaller.path_ok?(other, spec), plain(uninstaller.gem_home), uninstaller.bin_dir, uninstaller.spec
    p spec.dependent_gems.map { |one, dependency, list| [one.full_name, dependency.to_s, list.map(&:full_name)] }
    foreign = Gem::Specification.new("foreign", "1")
    foreign.loaded_from = "#{other}/specifications/foreign-1.gemspec"
    try { uninstaller.remove(foreign) }

    # several gems as one request; RDoc would come in between
    Gem.done_installing_hooks.clear
    set = Gem::RequestSet.new(Gem::Dependency.new("top"))
    set.gem("base", "> 1.0")
    set.gem("base", "< 2")
    set.import([Gem::Dependency.new("alone")])
    p set.dependencies.map(&:to_s), set.remote, set.prerelease, set.development, set.sets, set.errors, plain(set.install_dir), set.always_install
    chosen = set.resolve_current
    p chosen.map(&:full_name), set.specs.map(&:full_name), set.sorted_requests.map(&:full_name), set.resolver.class, chosen.all?(&:installed?), set.sets.map(&:class)
    p set.specs_in(home).map(&:full_name)
    pp set
    try { Gem::RequestSet.new(Gem::Dependency.new("absent")).resolve_current }
    try { Gem::RequestSet.new(Gem::Dependency.new("base", "> 1"), Gem::Dependency.new("base", "< 1.1")).resolve_current }

    local = Gem::RequestSet.new(Gem::Dependency.new("middle"), Gem::Dependency.new("alone"))
    local.remote = false
    installer_set = Gem::Resolver::InstallerSet.new(:local)
    installer_set.ignore_installed = true
    p local.resolve(installer_set).map { |each| [each.full_name, each.spec.class, each.spec.source.class, each.installed?] }
    third = "#{$place}/third"
    events = []
    result = local.install_into(third, true, ignore_dependencies: true, wrappers: true) { |request, each| events << "#{request} #{each.class}" }
    p result.map(&:full_name), result.map(&:class).uniq, events, ENV.key?("GEM_HOME")
    installed(third)
    events.clear
    p local.install_into(third, false, {}) { |request, each| events << "#{request} #{each.class}" }.map(&:full_name), events
    events.clear
    p local.install(install_dir: "#{$place}/fourth", wrappers: true) { |request, each| events << "#{request} #{each.class}" }.map(&:full_name), events
    p Dir["fourth/gems/*"].sort
    again = Gem::RequestSet.new(Gem::Dependency.new("middle"))
    again.remote = false
    again.resolve(Gem::Resolver::InstallerSet.new(:local))
    events.clear
    p again.install({}) { |request, each| events << "#{request} #{each.inspect}" }, events
    again = Gem::RequestSet.new(Gem::Dependency.new("alone", "1"))
    again.remote = false
    set = Gem::Resolver::InstallerSet.new(:local)
    p set.add_always_install(Gem::Dependency.new("alone")).map(&:full_name), set.always_install.map(&:full_name), set.inspect, set.consider_local?, set.consider_remote?, set.local?("alone")
    again.always_install = set.always_install
    again.resolve(set)
    p again.install({}) { |request, each| events << "#{request} #{each.class}" }.map(&:full_name), events.last
    source = Gem::Source::SpecificFile.new("base-1.1.gem")
    set.add_local("base-1.1.gem", source.spec, source)
    found = set.find_all(Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("base", "1.1"), nil))
    p found.map { |each| [each.class, each.full_name, each.local?, each.installable_platform?, each.platform] }, set.local?("base-1.1.gem").full_name
    try { set.add_always_install(Gem::Dependency.new("absent", "> 3")) }
    ordered = Gem::RequestSet.new(Gem::Dependency.new("top"), Gem::Dependency.new("middle"))
    ordered.development = true
    ordered.resolve(Gem::Resolver::InstallerSet.new(:local).tap { |each| each.remote = false })
    p ordered.sorted_requests.map(&:full_name)
    Gem::Specification.reset
    p Gem::Specification.latest_specs.map(&:full_name).grep(/\A(?:base|middle)-/)
    Gem::Specification.each_spec(["#{third}/specifications"]) { |each| p each.full_name }
  end
end
