# ArgumentError
Time.gm(-2**80)
