name 'p'
version '1.0.0'
depends 'b'
