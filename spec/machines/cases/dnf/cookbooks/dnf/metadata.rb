name 'dnf'
version '1.0.0'
