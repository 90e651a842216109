//! Static checks of cookbooks: Ruby files are parsed and never run.
//!
//! | | |
//! |--|--|
//! | [`ast`] | the tree that rules read |
//! | [`rule`] | what a rule is |
//! | [`rules`] | the rules, a folder per department, a module per rule |
//! | [`engine`] | one walk over a file for all rules |
//! | [`suppress`] | comments that switch rules off |
//! | [`fix`] | corrections of several findings together |
//! | [`known`] | what rules know beside the file: Chef's resources, the repository's cookbooks |
//! | [`config`] | what a repository wants: `.rubocop.yml`, `rchef.toml` |
//! | [`discover`], [`glob`] | which files are looked at |
//!
//! The crate takes bytes and paths; files are read and written by its caller.

pub mod ast;
pub mod config;
pub mod discover;
pub mod engine;
pub mod file;
pub mod fix;
pub mod glob;
pub mod known;
pub mod resource;
pub mod rule;
pub mod rules;
pub mod source;
pub mod suppress;

/// What a `metadata.rb` names its cookbook.
#[must_use]
pub fn cookbook_name(metadata: &[u8]) -> Option<String> {
    let source = source::Source::new(metadata)?;
    ast::parse(&source.text, |parsed| {
        let tree = parsed.ok()?;
        let name = tree.root().all().find(|call| call.is_call("name") && call.argc() == 1)?;
        name.arg(0)?.as_str().map(str::to_string)
    })
}
