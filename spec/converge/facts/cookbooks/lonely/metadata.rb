name 'lonely'
version '1.0.0'
