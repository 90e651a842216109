# An extension that counts resources, for which there is a way without it.
