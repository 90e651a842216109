//! The rchef command.
fn main() {}
