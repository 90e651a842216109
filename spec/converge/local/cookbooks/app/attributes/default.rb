default['app']['from'] = 'attribute file'
