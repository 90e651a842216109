//! Data written by tests/record/tables.rb.
#[rustfmt::skip]
pub(crate) mod names;
#[rustfmt::skip]
pub(crate) mod printable;
#[rustfmt::skip]
pub(crate) mod single_byte;
#[rustfmt::skip]
pub(crate) mod fold;
#[rustfmt::skip]
pub(crate) mod swap;
#[rustfmt::skip]
pub(crate) mod titlecase;
