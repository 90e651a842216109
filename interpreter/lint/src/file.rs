//! A file to check.

use crate::known::{Cookbook, Known};

/// What rules know about a file besides its tree.
#[derive(Clone, Debug)]
pub struct File<'t> {
    /// Relative to the repository's root, separated by `/`.
    pub path: &'t str,
    /// The name of the folder with the repository, for a cookbook that is the repository itself.
    pub root_name: &'t str,
    /// The cookbook's name in the `metadata.rb` beside the file.
    pub cookbook_name: Option<&'t str>,
    /// The year for copyright lines; 0 if unknown.
    pub year: u32,
    /// Knowledge from outside the file.
    pub known: &'t Known,
}

impl<'t> File<'t> {
    /// The cookbook that the file belongs to, if known.
    #[must_use]
    pub fn cookbook(&self) -> Option<&'t Cookbook> {
        self.known.cookbook_of(self.path)
    }

    /// The last component of the path.
    #[must_use]
    pub fn base(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// The name of the folder that holds the file.
    #[must_use]
    pub fn folder(&self) -> &str {
        let mut parts = self.path.rsplit('/');
        parts.next();
        parts.next().filter(|name| !name.is_empty() && *name != ".").unwrap_or(self.root_name)
    }
}
