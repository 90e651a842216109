//! A tree as an S-expression.
