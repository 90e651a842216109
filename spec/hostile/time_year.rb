# ArgumentError
Time.gm(-2**63)
