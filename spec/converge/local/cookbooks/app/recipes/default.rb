node.normal['app']['runs'] = (node['app']['runs'] || 0) + 1
node.default['app']['only_in'] = "run #{node['app']['runs']}" if node['app']['runs'] == 1
log "run #{node['app']['runs']}, from #{node['app']['from']}, only #{node['app']['only_in'].inspect} in #{node.chef_environment}"
