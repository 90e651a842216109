//! Chef's resources: property tables, documentation, providers, and facts.
//!
//! - [`register`]: all resources, parents before children;
//! - [`resources`]: one module for each resource: its name, class, DSL names, actions, properties with types and defaults;
//! - `providers`: the actions; `provider_names`: which of Chef's provider classes a name stands for on a platform;
//! - [`facts`]: Ohai's facts, and simulated platforms;
//! - `coerce`, `cron`, `securable`: coercions, defaults and validations that several resources share; `prelude`: the imports of a resource module.
//!
//! The tables hold what Chef Infra Client 18.11 declares; the descriptions are our own.

mod coerce;
mod cron;
pub mod facts;
mod prelude;
mod provider_names;
mod providers;
pub mod register;
pub mod resources;
mod securable;

pub use providers::{Level, level, rendered};

use rchef_ruby::{Res, Vm};

/// Registers every shipped resource and its provider with the VM.
pub fn boot(vm: &mut Vm) -> Res<()> {
    rchef_recipe::boot(vm, register::ALL)?;
    rchef_recipe::process::process_mut(vm).provider_names = provider_names::ALL;
    facts::boot(vm);
    let chef = rchef_recipe::run::class(vm, |classes| classes.chef)?;
    cron::boot(vm, chef);
    providers::boot(vm)
}
