# RubyVM::InstructionSequence.load_iseq replaces the code of files.
require "tmpdir"
Dir.mktmpdir do |d|
file = "#{d}/h27li.rb"
File.write(file, "$got = :plain\n")
class << RubyVM::InstructionSequence
  def load_iseq(path)
    return unless path.end_with?("h27li.rb")
    ($paths ||= []) << File.basename(path)
    RubyVM::InstructionSequence.compile("$got = [:iseq, File.basename(__FILE__), self, Module.nesting]; def helper = 2\n", path, path, 1)
  end
end
p require(file)
p $got, $paths, send(:helper)
$got = nil
load file
p $got
autoload :Abc, "#{d}/abc"
File.write("#{d}/abc.rb", "Abc = 5")
p Abc
end
