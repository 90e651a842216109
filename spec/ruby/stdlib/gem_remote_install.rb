# Gems of a server: what resolvers find in its lists, and their installation with what they need.
require "uri"
require "rubygems/dependency_installer"
require "rubygems/commands/install_command"
require "rubygems/commands/outdated_command"
require "rubygems/mock_gem_ui"
require "tmpdir"
require "socket"
require "stringio"
require "zlib"
require "fileutils"

%w[http_proxy HTTP_PROXY https_proxy HTTPS_PROXY].each { |name| ENV.delete(name) }
ENV["SOURCE_DATE_EPOCH"] = "1600000000"

# Gives the bodies of paths.
class Server
  attr_reader :port, :seen

  def initialize(bodies)
    @bodies, @seen = bodies, []
    @socket = TCPServer.new("127.0.0.1", 0)
    @port = @socket.addr[1]
    @thread = Thread.new { loop { Thread.new(@socket.accept) { |client| serve(client) } } }
  end

  def serve(client)
    while (line = client.gets)
      method, path = line.split
      nil until client.gets.chomp.empty?
      @seen << "#{method} #{path}"
      body = @bodies[path]
      client.write("HTTP/1.1 #{body ? "200 OK" : "404 Not Found"}\r\nContent-Length: #{body.to_s.bytesize}\r\nConnection: keep-alive\r\n\r\n")
      client.write(body) if body && method != "HEAD"
    end
  rescue SystemCallError, IOError
    nil
  ensure
    client.close
  end

  def url = "http://127.0.0.1:#{@port}/"
end

def packed(text)
  out = StringIO.new("".b)
  Zlib::GzipWriter.wrap(out) { |writer| writer.write(text) }
  out.string
end

def made(name, version, needs = {})
  spec = Gem::Specification.new do |s|
    s.name, s.version, s.summary, s.authors, s.files, s.date = name, version, "Sum", ["Ann"], [], "2020-02-03"
    needs.each { |other, requirement| s.add_dependency(other, requirement) }
  end
  file = Gem::DefaultUserInteraction.use_ui(Gem::SilentUI.new) { Gem::Package.build(spec, true) }
  [spec, File.binread(file).tap { File.delete(file) }]
end

$server = nil
def plain(text) = text.to_s.gsub(Dir.pwd, "DIR").gsub($server.url.chomp("/"), "SERVER")
def run(kind, *args)
  ui = Gem::MockGemUi.new
  begin
    Gem::DefaultUserInteraction.use_ui(ui) { Gem::Commands.const_get("#{kind}Command").new.invoke(*args) }
  rescue Gem::MockGemUi::TermError => error
    puts "ends with #{error.exit_code}"
  rescue Gem::MockGemUi::SystemExitException
    puts "ends"
  rescue StandardError => error
    puts "#{error.class}: #{plain(error.message)}"
  end
  # progress is shown in ways of its own
  puts "#{kind} #{args.join(" ")}", plain(ui.output.gsub(/^Fetching .*\n/, "")), plain(ui.error)
end

Dir.mktmpdir do |dir|
  Dir.chdir(File.realpath(dir)) do
    home = Dir.pwd
    ENV["HOME"] = home
    Gem.define_singleton_method(:user_home) { home }
    FileUtils.mkdir_p("home")
    Gem.use_paths("#{home}/home")
    gems = [made("zqx-a", "1.0", { "zqx-b" => "~> 1.0", "zqx-c" => ">= 1" }), made("zqx-b", "1.0"), made("zqx-b", "1.2", { "zqx-c" => "< 2" }), made("zqx-b", "2.0"), made("zqx-c", "1"), made("zqx-c", "3"), made("zqx-c", "4.a")]
    bodies = { "/" => nil }
    list = ->(specs) { packed(Marshal.dump(specs.map { |spec| [spec.name, spec.version, "ruby"] })) }
    early, released = gems.map(&:first).partition { |spec| spec.version.prerelease? }
    bodies["/specs.4.8.gz"], bodies["/prerelease_specs.4.8.gz"], bodies["/latest_specs.4.8.gz"] = list[released], list[early], list[released.group_by(&:name).map { |_, same| same.max_by(&:version) }]
    gems.each do |spec, bytes|
      bodies["/quick/Marshal.4.8/#{spec.spec_name}.rz"] = Zlib::Deflate.deflate(Marshal.dump(spec))
      bodies["/gems/#{spec.file_name}"] = bytes
    end
    $server = Server.new(bodies)
    Gem.sources = [$server.url]
    Gem::SpecFetcher.fetcher = nil
    source = Gem.sources.sources.first
    set = source.dependency_resolver_set
    p set.class, set.remote?, set.errors
    find = ->(name, *requirement) { set.find_all(Gem::Resolver::DependencyRequest.new(Gem::Dependency.new(name, *requirement), nil)) }
    p find["zqx-b"].map(&:full_name), find["zqx-c", "> 2"].map(&:full_name), find["zqx-c", ">= 4.a"].map(&:full_name), find["zqx-none"], find["zqx-a"].first.class
    one = find["zqx-a"].first
    p one.dependencies.map(&:to_s), one.required_ruby_version.to_s, one.platform, one.source == source, one.installable_platform?, one.local?
    p Gem::Resolver.new([Gem::Dependency.new("zqx-a")], set).resolve.map(&:full_name)
    best = Gem::Resolver::BestSet.new
    p best.sets.size
    p best.find_all(Gem::Resolver::DependencyRequest.new(Gem::Dependency.new("zqx-b", "2.0"), nil)).map(&:full_name), best.sets.map(&:class)
    Gem.done_installing_hooks.clear
    installed = Gem::DependencyInstaller.new(document: []).install("zqx-a")
    p installed.map(&:full_name), Dir["home/gems/*"].sort, Dir["home/cache/*"].sort
    run(:Outdated)
    run(:Install, "zqx-b:2.0", "--no-document")
    run(:Install, "zqx-c", "--prerelease", "--no-document", "--explain")
    run(:Install, "zqx-d", "--no-document", "--no-suggestions")
    run(:Install, "zqx-d", "--no-document")
    run(:Install, "zqx-c", "--remote", "--no-document", "-i", "other")
    p Dir["home/gems/*"].sort, Dir["other/{gems,cache}/*"].sort
    p $server.seen.grep(/gem/).uniq.sort
    requests = Gem::RequestSet.new(Gem::Dependency.new("zqx-a"))
    p requests.resolve.map(&:full_name), requests.sets.map(&:class), requests.resolver.missing, requests.errors
    p requests.install_into("third", true, document: []).map(&:full_name), Dir["third/gems/*"].sort
    p Gem.latest_spec_for("zqx-b").full_name, Gem.latest_version_for("zqx-c").to_s
    Gem.sources = ["http://127.0.0.1:1/"]
    puts((Gem::Resolver.new([Gem::Dependency.new("zqx-a")], Gem::Resolver::BestSet.new).resolve rescue $!.class))
  end
end
