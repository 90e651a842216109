log "applied where the nodes are in #{Chef::Config[:node_path]}"
