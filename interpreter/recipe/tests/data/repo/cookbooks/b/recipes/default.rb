$ran << 'b'
