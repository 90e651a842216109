//! `rchef check`: what stands in the way of a migration.
//!
//! [`scan`] applies the static rules to a repository's files, [`compiled`] compiles run lists. Both tell findings in the same form, which `check/schema.json` describes.

mod baseline;
mod changed;
pub mod compiled;
mod formats;
mod index;
mod options;
mod output;
mod parallel;
mod prove;
mod render;
pub mod scan;
mod settings;
mod work;

pub use parallel::on_all;

/// Runs; the number is the exit status.
pub fn run(args: &[String]) -> u8 {
    if compiled::is_meant(args) { compiled::run(args) } else { scan::run(args) }
}
