# $LOAD_PATH tells what require would load; an empty Pathname is the current folder.
require "tmpdir"
require "pathname"
Dir.mktmpdir do |dir|
  dir = File.realpath(dir)
  File.write("#{dir}/here.rb", "")
  p $:.resolve_feature_path("here")
  $:.unshift(dir)
  %w[here here.rb nothing_here].each { |name| p $LOAD_PATH.resolve_feature_path(name)&.then { |kind, path| [kind, path.delete_prefix(dir)] } }
  p $:.resolve_feature_path("#{dir}/here")[1] == "#{dir}/here.rb", $:.first == dir
  begin
    $:.resolve_feature_path(1)
  rescue => e
    p e
  end
end
p Pathname.new("") + "dir1", Pathname.new("") / "a", Pathname.new("").join("x"), Pathname.new("") + "", Pathname.new("a") + "", Pathname.new("") + "../b"
