node['app']['port'] = 80
