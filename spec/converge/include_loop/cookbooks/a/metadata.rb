name 'a'
depends 'b'
