//! Chef's resources: property tables, documentation, providers, and facts.
//!
//! - [`register`]: all resources, parents before children;
//! - [`resources`]: one module for each resource: its name, class, DSL names, actions, properties with types and defaults;
//! - `providers`: the actions;
//! - [`facts`]: Ohai's facts, and simulated platforms;
//! - `coerce`, `cron`, `securable`: coercions, defaults and validations that several resources share; `prelude`: the imports of a resource module.
//!
//! The tables hold what Chef Infra Client 18.11 declares; the descriptions are our own.

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

/// Registers every shipped resource and its provider with the VM.
pub fn boot(vm: &mut Vm) -> Res<()> {
    rchef_recipe::boot(vm, register::ALL)?;
    facts::boot(vm);
    providers::boot(vm)
}
