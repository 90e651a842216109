log "app on #{node.name}"
