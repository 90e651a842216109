p node['opt'], node['base'], node['site'], node['nginx']['base']
