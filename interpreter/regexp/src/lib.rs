//! Ruby regular expressions: an Onigmo front end over fancy-regex.
