name 'db'
version '1.1.0'
