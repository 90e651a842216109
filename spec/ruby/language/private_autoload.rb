require "tmpdir"
Dir.mktmpdir do |dir|
  File.write("#{dir}/x.rb", "module M; X = 1; private_constant :X; end")
  module M; end
  M.autoload(:X, "#{dir}/x.rb")
  begin; M::X; rescue NameError => e; puts e.message.lines.first; end
  p M.module_eval("X")
end
