node_name 'node1'
log_level :info
cookbook_path [
