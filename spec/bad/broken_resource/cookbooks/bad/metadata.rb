name 'bad'
