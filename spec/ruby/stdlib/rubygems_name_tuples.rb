# Gem::NameTuple: a gem's name, version and platform.
require "rubygems/spec_fetcher"
one = Gem::NameTuple.new("a", Gem::Version.new("1.2"))
two = Gem::NameTuple.new("a", Gem::Version.new("1.10"), Gem::Platform.new("x86_64-linux"))
p one.full_name, two.full_name, one.spec_name, one.platform, two.platform.to_s, one.prerelease?, Gem::NameTuple.new("b", Gem::Version.new("2.a")).prerelease?
p one.to_a, one == ["a", Gem::Version.new("1.2"), "ruby"], one == Gem::NameTuple.new("a", Gem::Version.new("1.2"), "ruby"), one == two
p one <=> two, [two, one].min.equal?(one), one, { one => 1 }[Gem::NameTuple.new("a", Gem::Version.new("1.2"))]
p Gem::NameTuple.from_list([["x", Gem::Version.new("1"), ""]]).map(&:full_name), Gem::SpecFetcher.fetcher.equal?(Gem::SpecFetcher.fetcher)
