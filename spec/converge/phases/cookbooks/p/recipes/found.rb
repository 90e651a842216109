found = search(:node, 'role:found').first
again = search(:node, 'name:full1').first
puts [found.name, found.chef_environment, found.run_list.to_s, found.class, found.role?('found'), found.recipe?('r::s')].inspect
puts [found['same'], found['a']['b'], found['a']['x'], found['only']['deep'], found['nope'], found[:kernel][:machine], found['tags']].inspect
puts [found.read('only', 'deep', 'er'), found.attribute?('same'), found.attribute?('nope'), found['platform_version'] > '9', found['float'], found['big']].inspect
puts [found.normal['same'], found.default['same'], found.override['same'], found.automatic['same'], found.default_attrs.keys, found.normal_attrs.keys].inspect
found.default['only']['new'] = 'written'
found.normal['a']['b'] << 2
found.override['same'] = 'mine'
found.rm_normal('a', 'x')
found.automatic['later'] = { 'k' => 'v' }
puts [found['only'], found['a'], found['same'], found['later'], found.normal['a'], found.tags].inspect
puts found.debug_value('same').inspect
puts found.keys.sort.inspect, found.to_hash.keys.sort.inspect, found.each_value.count
puts JSON.parse(found.to_json).sort.inspect
puts again['only'].inspect, again['same'], again.normal.to_hash.inspect, again.attributes.automatic.to_hash.keys.inspect
puts found.dup.equal?(found), found == again, found['a'].frozen?, found['a'].class
begin
  again['a']['z'] = 1
rescue => error
  puts error.class
end
puts search(:node, 'name:*1', filter_result: { 'm' => %w(kernel machine), 'd' => %w(only deep er), 'f' => ['float'] }).inspect
puts search(:node, 'name:full1', sort: 'X_CHEF_id_CHEF_X asc').map { |one| [one.name, one['same'], one.automatic.key?('same')] }.inspect
puts search(:node, 'kernel_*:x86_64').map(&:name).inspect, search(:node, 'deep_e?:1.5').map(&:name).inspect
