log "from #{cookbook_name} #{recipe_name}"
