# YAML::Store keeps a Hash in a file of YAML.
require "yaml/store"
require "tmpdir"
Dir.mktmpdir do |dir|
  path = "#{dir}/store.yml"
  store = YAML::Store.new(path)
  p store.class.superclass, store.path == path
  store.transaction do
    store["a"] = { "b" => [1, 2.5, nil], :c => "d" }
    store["time"] = :symbol
  end
  puts File.read(path)
  p(YAML::Store.new(path).transaction(true) { |open| [open["a"], open.roots, open.root?("x"), open.fetch("time")] })
  store.transaction { store.delete("a"); store.abort }
  p store.transaction(true) { store.roots }
  begin
    store.transaction(true) { store["x"] = 1 }
  rescue PStore::Error => error
    puts error.message
  end
  File.write(path, "")
  p store.transaction(true) { store.roots }
  store.transaction { store["x"] = 1 }
  puts File.read(path)
  wide = YAML::Store.new("#{dir}/wide.yml", indentation: 4)
  wide.transaction { wide["a"] = { "b" => { "c" => 1 } } }
  puts File.read("#{dir}/wide.yml")
end
