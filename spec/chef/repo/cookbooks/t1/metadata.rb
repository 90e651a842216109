name 't1'
