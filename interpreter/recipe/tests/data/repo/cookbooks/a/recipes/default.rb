$ran << 'a'
