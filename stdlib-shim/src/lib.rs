//! The standard library that Ruby code requires, natively or as embedded Ruby.
