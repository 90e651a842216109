# What the module Gem tells of file names and folders, files read and written whole, and the hooks of installations.
require "tmpdir"
p Gem.suffixes, Gem.suffix_pattern, Gem.suffix_regexp, Gem.plugin_suffix_pattern, Gem.plugin_suffix_regexp
p %w[a.rb b.so c.py d].map { |file| file.sub(Gem.suffix_regexp, "") }
p Gem.path_separator, Gem.binary_mode, Gem.solaris_platform?, Gem.gemdeps
Dir.mktmpdir do |dir|
  file = File.join(dir, "f")
  Gem.write_binary(file, "a\xffb")
  p Gem.read_binary(file), Gem.read_binary(file).encoding
  p Gem.open_file(file, "rb", &:read)
end
Gem.disable_system_update_message = "none"
p Gem.disable_system_update_message
%i[pre_install post_build post_install pre_uninstall post_uninstall pre_reset post_reset done_installing].each do |name|
  before = Gem.public_send(:"#{name}_hooks").size
  hook = proc { 1 }
  Gem.public_send(name, &hook)
  hooks = Gem.public_send(:"#{name}_hooks")
  p [name, hooks.size - before, hooks.last.equal?(hook)]
end
ENV["SOURCE_DATE_EPOCH"] = "1700000000"
p Gem.source_date_epoch, Gem.source_date_epoch_string
