name 'bad'
version 'one'
