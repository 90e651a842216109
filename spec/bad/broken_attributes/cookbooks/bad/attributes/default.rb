default['app']['url'] = 'http://' + node['app']['host']
