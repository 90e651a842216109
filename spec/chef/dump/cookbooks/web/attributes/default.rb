default['web']['port'] = 80
