name 'a'
version '1.0.0'
