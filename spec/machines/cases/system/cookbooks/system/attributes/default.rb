default['system']['greeting'] = 'hello'
