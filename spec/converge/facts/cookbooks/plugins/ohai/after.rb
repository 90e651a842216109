Ohai.plugin(:After) { provides 'after' }
1
