# Features: how a file is found again under other names, and what $LOADED_FEATURES says.
require "tmpdir"
Dir.mktmpdir do |place|
  place = File.realpath(place)
  Dir.mkdir("#{place}/real")
  File.write("#{place}/real/one.rb", "puts 'loads ' + __FILE__.split('/').last(2).join('/')\n")
  File.write("#{place}/real/two.rb", "puts 'loads two'\nKernel.autoload :LaterOn, '/nowhere/later'\n")
  File.symlink("#{place}/real", "#{place}/link")
  File.symlink("one.rb", "#{place}/real/alias.rb")
  $LOAD_PATH.unshift "#{place}/link"
  p require("alias"), $LOADED_FEATURES.last.delete_prefix(place)
  p require("one"), require("#{place}/link/one"), require("#{place}/real/../real//one.rb")
  Dir.chdir(place) { p require("./real/one"), require("./real/two") }
  p $LOADED_FEATURES.last.delete_prefix(place)
  p require("two")
  $LOADED_FEATURES << "never.rb"
  p require("never"), require("never.rb")
  p defined?(LaterOn), Object.autoload?(:LaterOn)
  begin
    LaterOn
  rescue LoadError => error
    puts error.message
  end
  begin
    require "nothing/at_all"
  rescue LoadError => error
    p error.path, error.message
  end
  $LOAD_PATH.shift
end
class Scope
  define_method(:register) { Class.new { autoload :Inner, "some/path" } }
end
p Scope.new.register.autoload?(:Inner)
