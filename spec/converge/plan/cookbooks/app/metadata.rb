name 'app'
version '1.0.0'
