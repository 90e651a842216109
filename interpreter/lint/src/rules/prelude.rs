//! The imports of a rule's module.

pub(super) use super::common::*;
pub(super) use crate::ast::{Form, Kind, N};
pub(super) use crate::resource::*;
pub(super) use crate::rule::*;
