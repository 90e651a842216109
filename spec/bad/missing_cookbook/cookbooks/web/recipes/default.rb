log 'web'
