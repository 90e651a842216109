//! Chef's resources: property tables, documentation, providers, and facts.
//!
//! - [`register`]: all of them, parents before children;
//! - [`resources`]: one module a resource: its name, class, DSL names, actions, properties with types and defaults;
//! - `providers`: what their actions do to the machine;
//! - [`facts`]: what Ohai collects, simulated platforms;
//! - `coerce`, `cron`, `securable`: conversions, defaults and tests that several share; `prelude`: what a module needs.
//!
//! The tables hold what Chef Infra Client 18.11 declares; the texts are ours.

mod coerce;
mod cron;
pub mod facts;
mod prelude;
mod providers;
pub mod register;
pub mod resources;
mod securable;

pub use providers::{Level, level, rendered};

use rchef_ruby::{Res, Vm};

/// Registers the model with every shipped resource and its provider.
pub fn boot(vm: &mut Vm) -> Res<()> {
    rchef_recipe::boot(vm, register::ALL)?;
    facts::boot(vm);
    providers::boot(vm)
}
