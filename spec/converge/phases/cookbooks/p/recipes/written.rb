nodes = File.join(Chef::Config[:chef_repo_path], 'nodes')
known = -> { search(:node, 'name:wr*').map(&:name) }
p known.call
%w{wr1 wr2}.each do |name|
  IO.write("#{nodes}/#{name}.json", %({"name":"#{name}"}))
  p known.call
end
IO.write("#{nodes}/wr2.json", '{"name":"other"}')
p known.call
%w{wr1 wr2}.each { |name| File.delete("#{nodes}/#{name}.json") }
p known.call
node.default['latin'] = "\xC3\xA9".dup.force_encoding('ISO-8859-1')
