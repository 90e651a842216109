chef_repo_path '@ROOT@/repo'
file_cache_path '@ROOT@/cache'
node_name 'n1'
