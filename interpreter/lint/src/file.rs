//! A file under inspection.

use crate::known::{Cookbook, Known};

/// What rules know of it beside its tree.
#[derive(Clone, Debug)]
pub struct File<'t> {
    /// From the repository's root, with `/`.
    pub path: &'t str,
    /// The folder that the repository lies in, for a cookbook that is the repository itself.
    pub root_name: &'t str,
    /// What `metadata.rb` beside the folder of the file names the cookbook, for the rules that compare with it.
    pub cookbook_name: Option<&'t str>,
    /// The year, for copyright lines; 0 where it is not known.
    pub year: u32,
    /// What is known beside the file.
    pub known: &'t Known,
}

impl<'t> File<'t> {
    /// The cookbook that the file is of, where that is known.
    #[must_use]
    pub fn cookbook(&self) -> Option<&'t Cookbook> {
        self.known.cookbook_of(self.path)
    }

    /// The last part of the path.
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
