name 'cycle'
version '1.0.0'
