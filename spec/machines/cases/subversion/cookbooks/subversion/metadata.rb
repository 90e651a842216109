name 'subversion'
version '1.0.0'
