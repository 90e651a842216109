# An extension that counts allocations, for which there is a way without it.
