log "#{Chef::Config[:custom].inspect} #{Chef::Config[:log_level].inspect} #{node.chef_environment}"
