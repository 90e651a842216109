require "rubygems/package"
require "stringio"
Gem::Package::TarWriter.new(StringIO.new) do |tar|
  p tar.split_name("short"), tar.split_name("#{"d" * 90}/#{"f" * 60}").map(&:size)
  p tar.instance_variable_get(:@io).class
end
