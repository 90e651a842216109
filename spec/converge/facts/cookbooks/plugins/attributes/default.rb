default['plugins']['v'] = node['nginx']['version']
