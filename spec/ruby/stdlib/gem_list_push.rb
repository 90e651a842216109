# `gem list` of installed gems and of a server's, and `gem push` to a server.
require "rubygems/commands/list_command"
require "rubygems/commands/push_command"
require "rubygems/commands/build_command"
require "rubygems/mock_gem_ui"
require "tmpdir"
require "socket"
require "stringio"
require "zlib"
require "fileutils"

%w[RUBYGEMS_HOST GEM_HOST_API_KEY GEM_HOST_OTP_CODE http_proxy HTTP_PROXY https_proxy].each { |name| ENV.delete(name) }
ENV["SOURCE_DATE_EPOCH"] = "1600000000"

# Answers requests by what a block gives: status, body.
class Server
  attr_reader :port, :seen

  def initialize(&answer)
    @answer, @seen = answer, []
    @socket = TCPServer.new("127.0.0.1", 0)
    @port = @socket.addr[1]
    @thread = Thread.new { loop { serve(@socket.accept) } }
  end

  def serve(client)
    while (line = client.gets)
      method, path = line.split
      fields = {}
      while (field = client.gets.chomp) && !field.empty?
        name, value = field.split(": ", 2)
        fields[name.downcase] = value
      end
      body = client.read(fields["content-length"].to_i)
      @seen << [method, path, fields, body]
      status, text = @answer.call(method, path, fields, body)
      client.write("HTTP/1.1 #{status}\r\nContent-Length: #{text.bytesize}\r\nConnection: keep-alive\r\n\r\n")
      client.write(text) unless method == "HEAD"
    end
  rescue SystemCallError, IOError
    nil
  ensure
    client.close
  end

  def url = "http://127.0.0.1:#{@port}"
end

def run(kind, *args, input: nil)
  ui = input ? Gem::MockGemUi.new(input) : Gem::MockGemUi.new
  ui.define_singleton_method(:tty?) { !input.nil? }
  ui.outs.tty = kind == :List && args.include?("zqx-three")
  ui.define_singleton_method(:ask_for_password) { |question| ask(question) }
  begin
    Gem::DefaultUserInteraction.use_ui(ui) { Gem::Commands.const_get("#{kind}Command").new.invoke(*args) }
  rescue Gem::MockGemUi::TermError => error
    puts "ends with #{error.exit_code}"
  rescue Gem::MockGemUi::SystemExitException
    puts "ends"
  rescue StandardError => error
    puts "#{error.class.name.sub("Gem::OptionParser", "OptionParser")}: #{error.message}"
  end
  # what a command's description says is in words of our own
  puts "#{kind} #{args.join(" ")}", ui.output.sub(/^  Description:\n.*?(?=^  \S|\z)/m, ""), ui.error
end
def plain(text) = text.gsub(Dir.pwd, "DIR")

def made(name, version, platform = "ruby", **values)
  Gem::Specification.new do |spec|
    spec.name, spec.version, spec.platform = name, version, platform
    spec.summary, spec.authors, spec.date = "Summary of #{name}", ["Ann"], "2020-01-02"
    values.each { |field, value| spec.public_send("#{field}=", value) }
  end
end

def packed(text)
  out = StringIO.new("".b)
  Zlib::GzipWriter.wrap(out) { |writer| writer.write(text) }
  out.string
end

out = StringIO.new
$stdout = out
Dir.mktmpdir do |dir|
  Dir.chdir(File.realpath(dir)) do
    ENV["HOME"] = Dir.pwd
    ENV["XDG_DATA_HOME"] = ENV["XDG_CONFIG_HOME"] = nil
    # RubyGems remembers where the user's files are
    home = Dir.pwd
    Gem.define_singleton_method(:user_home) { home }
    Gem.define_singleton_method(:data_home) { "#{home}/.local/share" }
    Gem.define_singleton_method(:spec_cache_dir) { "#{home}/specs" }
    Gem.configuration = Gem::ConfigFile.new([])
    raise "not the user's own files" unless Gem.configuration.credentials_path.start_with?(home)
    gems = [
      made("zqx-one", "1.0"), made("zqx-one", "1.10"), made("zqx-one", "1.9.pre"), made("zqx-two", "2", "java"), made("zqx-two", "2"), made("zqx-two", "1", "x86_64-linux"),
      made("Zqx-three", "3", authors: %w[Ann Bob], homepage: "https://example.com", licenses: %w[MIT GPL-2.0], summary: "A long summary of this " * 6)
    ]
    FileUtils.mkdir_p("specifications")
    gems.each do |spec|
      File.write("specifications/#{spec.full_name}.gemspec", spec.to_ruby)
    end
    Gem::Specification.dirs = [Dir.pwd]
    run(:List, "zqx")
    run(:List, "zqx", "--no-versions")
    run(:List, "zqx", "--no-prerelease", "-a")
    run(:List, "zqx-one", "zqx-two", "-d")
    run(:List, "zqx-three", "-d")
    run(:List, "-e", "zqx")
    run(:List, "-e", "zqx-one", "--verbose")
    run(:List, "-i", "zqx-one")
    run(:List, "-i", "zqx-one", "-v", ">= 2")
    run(:List, "-I", "zqx-one")
    run(:List, "-I", "nothing-at-all")
    run(:List, "-i")
    run(:List, "-i", "a", "b")
    run(:List, "--silent", "zqx")
    run(:List, "--nope")
    run(:List, "-s", "gopher://x")
    run(:List, "--help")
    run(:Push, "--help")
    run(:Build, "--help")

    lists = {
      "/latest_specs.4.8.gz" => [["zqx-one", "1.10", "ruby"], ["zqx-two", "2", "java"], ["zqx-two", "2", "ruby"], ["Zqx-three", "3", "ruby"]],
      "/specs.4.8.gz" => [["zqx-one", "1.0", "ruby"], ["zqx-one", "1.10", "ruby"], ["zqx-two", "2", "java"], ["zqx-two", "2", "ruby"], ["Zqx-three", "3", "ruby"]],
      "/prerelease_specs.4.8.gz" => [["zqx-one", "1.9.pre", "ruby"]]
    }.transform_values { |list| packed(Marshal.dump(list.map { |name, version, platform| [name, Gem::Version.new(version), platform] })) }
    files = gems.to_h { |spec| ["/quick/Marshal.4.8/#{spec.full_name}.gemspec.rz", Zlib::Deflate.deflate(Marshal.dump(spec))] }
    server = Server.new { |_, path,| (text = lists[path] || files[path]) ? ["200 OK", text] : ["404 Not Found", "no"] }
    run(:List, "zqx", "-r", "--clear-sources", "-s", server.url)
    run(:List, "-r")
    run(:List, "zqx", "-r", "--all")
    run(:List, "zqx", "-r", "--prerelease")
    run(:List, "zqx", "-r", "--all", "--prerelease")
    run(:List, "zqx", "--both")
    run(:List, "zqx-t", "--remote", "--details")
    p Gem::SpecFetcher.fetcher.suggest_gems_from_name("zqxon"), Gem::SpecFetcher.fetcher.suggest_gems_from_name("zqx-twa")
    p server.seen.map { |method, path,| [method, path] }.uniq.select { |method,| method == "GET" }.size

    answer = ["200 OK", "Successfully registered gem"]
    pushed = Server.new do |_, path, fields, _|
      next ["200 OK", "NEWKEY"] if path == "/api/v1/api_key"
      answer.is_a?(Proc) ? answer.call(fields) : answer
    end
    File.write("some.gemspec", made("some", "1", files: []).to_ruby)
    File.write("only.gemspec", made("only", "1", metadata: { "allowed_push_host" => pushed.url }).to_ruby)
    File.write("away.gemspec", made("away", "1", metadata: { "allowed_push_host" => "https://elsewhere.example" }).to_ruby)
    File.write("own.gemspec", made("own", "1", metadata: { "default_gem_server" => pushed.url, "allowed_push_host" => pushed.url }).to_ruby)
    %w[some only away own].each { |name| run(:Build, name, "--force") }
    tell = lambda do
      pushed.seen.each do |method, path, fields, body|
        same = Dir["*.gem"].sort.find { |file| File.binread(file) == body }
        p [method, path, fields.slice("authorization", "content-type", "content-length", "otp").merge("content-length" => fields["content-length"].to_i == body.bytesize), same || body.sub(/name=[^&]*/, "name=")]
      end
      pushed.seen.clear
    end
    ENV["GEM_HOST_API_KEY"] = "envkey"
    run(:Push, "some-1.gem", "--host", pushed.url)
    tell[]
    run(:Push, "only-1.gem", "--otp", "1234")
    tell[]
    run(:Push, "own-1.gem")
    tell[]
    run(:Push, "away-1.gem", "--host", pushed.url)
    tell[]
    ENV["RUBYGEMS_HOST"] = pushed.url
    run(:Push, "some-1.gem")
    tell[]
    ENV.delete("RUBYGEMS_HOST")
    answer = ["403 Forbidden", "You may not\a"]
    run(:Push, "some-1.gem", "--host", pushed.url)
    tell[]
    answer = ->(fields) { fields["otp"] ? ["200 OK", "with code"] : ["401 Unauthorized", "You have enabled multifactor authentication but no OTP code provided."] }
    run(:Push, "some-1.gem", "--host", pushed.url, input: "777\n")
    tell[]
    answer = ["200 OK", "done"]
    ENV.delete("GEM_HOST_API_KEY")
    run(:Push, "some-1.gem", "--host", pushed.url, input: "me@example.com\nsecret\n")
    tell[]
    puts File.read(Gem.configuration.credentials_path)
    printf("%o\n", File.stat(Gem.configuration.credentials_path).mode & 0o777)
    Gem.configuration = Gem::ConfigFile.new([])
    run(:Push, "some-1.gem", "--host", pushed.url)
    tell[]
    run(:Push, "some-1.gem", "--host", pushed.url, "-k", "other")
    tell[]
    Gem.configuration.set_api_key(:other, "otherkey")
    run(:Push, "some-1.gem", "--host", pushed.url, "-k", "other")
    tell[]
    Gem.configuration.rubygems_api_key = "mainkey"
    p Gem.configuration.rubygems_api_key, Gem.configuration.api_keys.keys.map { |key| key.is_a?(Symbol) ? key : "URL" }
    run(:Push)
    run(:Push, "a", "b")
    File.chmod(0o644, Gem.configuration.credentials_path)
    Gem.configuration = Gem::ConfigFile.new([])
    run(:Push, "some-1.gem", "--host", pushed.url)
    out.string.gsub!(Dir.pwd, "DIR")
    out.string.gsub!(/(API key: ).*/, "\\1NAME")
    out.string.gsub!(/127\.0\.0\.1:\d+/, "SERVER")
  end
end
$stdout = STDOUT
puts out.string
