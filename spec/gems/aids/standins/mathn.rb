# A library that Ruby no longer has; what it changed is part of the language.
