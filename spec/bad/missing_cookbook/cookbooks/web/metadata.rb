name 'web'
