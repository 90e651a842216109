# The commands that install, remove and show gems, on small gems in a folder of their own.
require "uri"
require "rubygems/command_manager"
require "rubygems/commands/install_command"
require "rubygems/commands/uninstall_command"
require "rubygems/util/list"
require "rubygems/uri"
require "rubygems/mock_gem_ui"
require "tmpdir"
require "fileutils"
require "pp"
require "yaml"

ENV["SOURCE_DATE_EPOCH"] = "1600000000"
File.umask(0o022)
$place = nil
def plain(text) = text.to_s.gsub($place, "DIR").gsub(RUBY_VERSION, "RUBY")

def run(name, *args, input: "")
  ui = Gem::MockGemUi.new(input)
  begin
    Gem::DefaultUserInteraction.use_ui(ui) { Gem::CommandManager.new[name].invoke(*args) }
  rescue Gem::MockGemUi::TermError => error
    puts "ends with #{error.exit_code}"
  rescue Gem::MockGemUi::SystemExitException
    puts "ends"
  rescue StandardError => error
    puts "#{error.class.name.sub("Gem::OptionParser", "OptionParser")}: #{plain(error.message)}"
  end
  puts "#{name} #{plain(args.join(" "))}", plain(ui.output), plain(ui.error)
end

def made(name, version, needs = {}, files: {}, programs: [])
  files = files.merge(programs.to_h { |program| ["bin/#{program}", "puts '#{name}'\n"] })
  files.each do |path, text|
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end
  spec = Gem::Specification.new do |s|
    s.name, s.version, s.summary, s.authors, s.files, s.executables, s.date = name, version, "Sum of #{name}", ["Ann"], files.keys, programs, "2020-02-03"
    needs.each { |other, requirement| requirement == :development ? s.add_development_dependency(other) : s.add_dependency(other, requirement) }
  end
  Gem::DefaultUserInteraction.use_ui(Gem::SilentUI.new) { Gem::Package.build(spec, true) }
end

Dir.mktmpdir do |dir|
  Dir.chdir($place = File.realpath(dir)) do
    ENV["HOME"] = $place
    home = "#{$place}/home"
    FileUtils.mkdir_p(home)
    # RDoc and plug-ins of the machine do not belong here
    $LOADED_FEATURES << "#{$place}/rubygems_plugin.rb"
    Gem.use_paths(home)
    made("zqx-base", "1.0", files: { "lib/zqx/base.rb" => "", "data/x" => "x" })
    made("zqx-base", "1.1", files: { "lib/zqx/base.rb" => "", "data/x" => "x" }, programs: %w[zqx])
    made("zqx-top", "2", { "zqx-base" => "~> 1.0", "zqx-test" => :development }, files: { "lib/zqx/top.rb" => "" })
    made("zqx-lost", "1", { "zqx-absent" => "> 1" })
    local = %w[--local --no-document]
    run("install", "zqx-top", *local, "--explain")
    run("install", "zqx-base", "-v", "1.0", *local)
    run("install", "zqx-top", *local)
    run("install", "zqx-base:1.1", "zqx-top", *local)
    run("install", "zqx-top", "--conservative", *local)
    run("install", "zqx-lost", *local)
    run("install", "zqx-lost", "--force", *local)
    run("install", "zqx-nothing", *local)
    run("install", "zqx-nothing", "zqx-lost", *local)
    run("install", "a", "b", "-v", "1", *local)
    run("install", "a", "-i", "x", "--user-install", *local)
    run("install", "--trust-policy", "Some", *local)
    run("install", "zqx-top-2.gem", "-P", "HighSecurity", *local)
    run("install", *local)
    run("install", "./zqx-top-2.gem", "--ignore-dependencies", "-i", "other", "--no-wrappers", *local)
    p Dir["other/gems/*"].sort, Dir["home/gems/*"].sort, Dir["home/bin/*"]

    run("which", "zqx/base")
    run("which", "zqx/none", "zqx/top")
    run("which", "zqx/base.rb", "-a", "-g")
    run("contents", "zqx-base")
    run("contents", "zqx-base", "-v", "1.0", "--no-prefix")
    run("contents", "zqx-base", "-l")
    run("contents", "zqx-base", "--show-install-dir")
    run("contents", "zqx-none")
    run("contents", "zqx-none", "zqx-top", "-s", "/a,/b")
    run("dependency", "zqx")
    run("dependency", "zqx-top", "--pipe")
    run("dependency", "zqx-base", "-R", "-v", "1.1")
    run("dependency", "zqx-none")
    run("dependency", "zqx-base", "-R", "-r")
    run("specification", "zqx-base", "-v", "1.0")
    run("specification", "zqx-base", "version")
    run("specification", "zqx-top-2.gem", "dependencies")
    run("specification", "zqx-base", "--all", "files")
    run("specification", "zqx-none")
    run("specification")
    run("specification", "zqx-top", "--ruby", "name")
    run("specification", "zqx-top", "--all", "-v", "2")
    run("specification", "zqx-top", "--ruby")
    run("unpack", "zqx-base")
    run("unpack", "zqx-base", "-v", "1.0", "--target", "unpacked")
    run("unpack", "zqx-top-2.gem", "--target", "unpacked", "--spec")
    p Dir["unpacked/**/*"].sort, Dir["zqx-base-1.1/**/*"].sort
    puts File.read("unpacked/zqx-top-2.gemspec").lines.first(6)
    %w[gemdir gempath version remotesources platform none].each { |word| run("environment", word) }

    run("uninstall", "zqx-base", input: "1\n")
    run("uninstall", "zqx-base", "-v", "1.1", "--abort-on-dependent", "-x")
    run("cleanup", "-n")
    run("cleanup", "zqx-base")
    run("install", "zqx-base", "-v", "1.0", *local)
    run("cleanup", "--no-check-development")
    run("uninstall", "zqx-none")
    run("uninstall", "zqx-top", "zqx-base", "-x", "-I")
    run("uninstall", "a", "b", "-v", "1")
    run("uninstall")
    run("uninstall", "zqx-lost", "-a", "-I", "-i", home)
    p Dir["home/{gems,specifications,cache,bin}/*"]
    %w[unpack which cleanup outdated contents dependency specification environment].each do |name|
      ui = Gem::MockGemUi.new
      Gem::DefaultUserInteraction.use_ui(ui) { Gem::CommandManager.new[name].invoke("--help") }
      puts ui.output.sub(/^  Description:\n.*?(?=^  (?:Defaults|Arguments)|\z)/m, "").gsub($place, "DIR")
    end

    list = Gem::List.prepend(Gem::List.prepend(nil, 1), 2)
    p list.to_a, list.map { |each| each }, list.value, list.tail.value, list.prepend(3).to_a, Gem::List.new(5).to_a
    pp list
    %w[http://a:b@c/d http://token@c http://token:x-oauth-basic@c/ http://c].push("no address %", "http://a b/c").each do |text|
      uri = Gem::Uri.new(text)
      p uri.redacted.to_s, uri.to_s, uri.redact_credentials_from("see #{text}"), uri.respond_to?(:host)
    end
    p Gem::Uri.new(URI("http://u:p@h")).redacted.to_s, Gem::Uri.new("http://u:p@h").host
  end
end
