log "port #{prot}"
