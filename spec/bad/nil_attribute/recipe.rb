port = node['app']['port']

log "listening on #{port}"
