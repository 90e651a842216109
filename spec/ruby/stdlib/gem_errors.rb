# What RubyGems raises, and small things of its own.
require "rubygems"
require "rubygems/exceptions"
require "rubygems/user_interaction"
require "rubygems/text"
require "rubygems/util"
require "rubygems/remote_fetcher"
require "tmpdir"

%i[CommandLineError DependencyError DependencyRemovalException DependencyResolutionError GemNotInHomeException DocumentError EndOfYAMLException FilePermissionError FormatException
   SpecificGemNotFoundException ImpossibleDependenciesError RuntimeRequirementNotMetError OperationNotSupportedError RemoteError RemoteInstallationCancelled RemoteInstallationSkipped
   RemoteSourceException VerificationError SystemExitException UninstallError UnsatisfiableDependencyError UnknownCommandError].each { |name| p [name, Gem.const_get(name).superclass] }
p Gem::RemoteFetcher::FetchError.superclass, Gem::RemoteFetcher::UnknownHostError.superclass
p Gem::FilePermissionError.new("/x").then { |error| [error.message, error.directory] }
p Gem::SpecificGemNotFoundException.new("a", "1").then { |error| [error.message, error.name, error.version, error.errors] }
p Gem::SystemExitException.new(3).then { |error| [error.message, error.exit_code, error.status] }
p Gem::UnknownCommandError.new("instal").unknown_command
error = Gem::RuntimeRequirementNotMetError.new("needs more")
p error.message
error.suggestion = "update"
p error.message
Asked = Struct.new(:name, :requirement, :request_context, :explicit) do
  def explicit? = explicit
  def to_s = "#{name} (#{requirement})"
end
p Gem::UnsatisfiableDependencyError.new(Asked.new("a", ">= 1", "b-1", true)).message, Gem::UnsatisfiableDependencyError.new(Asked.new("a", ">= 1", "b-1", false)).message
p Gem::UnsatisfiableDependencyError.new(Asked.new("a", ">= 1", "b-1", true)).then { |each| [each.name, each.version, each.errors] }
error = Gem::FormatException.new("x")
error.file_path = "p"
p error.file_path
include Gem::Text
puts format_text("hello there world of many words foo", 10, 2)
p truncate_text("abcdef", "d", 3), truncate_text("ab", "d", 3), levenshtein_distance("kitten", "sitting"), clean_text("a\e[1mb"), min3(3, 1, 2)
p Gem::Util.traverse_parents("/etc/ssl").to_a, Gem::Util.gunzip(Gem::Util.gzip("x")), Gem::Util.inflate(Zlib::Deflate.deflate("y")), Gem::Util.popen("echo", "hi"), Gem::Util.glob_files_in_dir("pass*d", "/etc")
ui = Gem::SilentUI.new
Gem::DefaultUserInteraction.use_ui(ui) { ui.say("nothing"); ui.alert_error("no") }
p Gem::SilentUI.superclass
Dir.mktmpdir do |folder|
  File.write("#{folder}/file", "content")
  p Gem::RemoteFetcher.fetcher.class, Gem::RemoteFetcher.new.fetch_path(URI("file://#{folder}/file"))
end
p Gem::RemoteFetcher.new.https?(URI("https://x")), Gem::RemoteFetcher.new.https?(URI("http://x"))
