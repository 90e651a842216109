default['sample']['root'] = 'out'
default['app']['port'] = 8080
