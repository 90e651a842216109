chef_repo_path '@ROOT@/repo'
file_cache_path '@ROOT@/cache'
file_backup_path '@ROOT@/backup'
node_name 'node1'
