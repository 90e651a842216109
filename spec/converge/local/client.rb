node_name 'kept'
cache_path '@ROOT@/cache'
allowed_automatic_attributes []
allowed_default_attributes ['app/from', 'no/such']
blocked_normal_attributes ['app/secret']
