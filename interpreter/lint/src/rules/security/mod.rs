//! The department Chef/Security.

use crate::rule::Rule;

mod insecure_remote_file_source;
mod ssh_private_key;

pub static RULES: &[&Rule] = &[&insecure_remote_file_source::RULE, &ssh_private_key::RULE];
