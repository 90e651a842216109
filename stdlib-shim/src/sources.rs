//! Embedded Ruby, by feature.

/// Feature and source.
pub(crate) static SOURCES: &[(&str, &str)] = &[
    ("digest/md5", "require 'digest'"),
    ("digest/sha1", "require 'digest'"),
    ("digest/sha2", "require 'digest'"),
    ("digest/sha256", "require 'digest'"),
    ("json/add/core", "require 'json'"),
    ("json/ext", "require 'json'"),
    ("random/formatter", "require 'securerandom'"),
];
