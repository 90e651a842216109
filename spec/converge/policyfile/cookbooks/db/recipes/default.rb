log 'db'
