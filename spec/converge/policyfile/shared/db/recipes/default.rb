log 'shared db'
