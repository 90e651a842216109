log "from b" 
directory "@ROOT@/t/bb"
