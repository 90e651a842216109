name 'pacman'
version '1.0.0'
