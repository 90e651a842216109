Ohai.plugin(:bad_name) { provides 'x' }
