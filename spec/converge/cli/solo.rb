node_name 'solo1'
cookbook_path '@ROOT@/repo/cookbooks'
file_cache_path '@ROOT@/cache'
