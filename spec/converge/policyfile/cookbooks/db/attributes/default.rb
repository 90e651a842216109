default['db']['host'] = 'localhost'
