node_name 'node1'
cache_path "#{__dir__}/cache"
