log "greeting #{node['app']['greeting']}, node #{node.name}"
log "backups below #{Chef::Config[:file_backup_path]}, licence #{Chef::Config[:chef_license]}"
