//! `homebrew_update`: Chef does nothing for it where the node is no macOS, and rchef converges Linux only.

use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct HomebrewUpdate;

impl Composite for HomebrewUpdate {
    type Desired = ();
    const ACTIONS: &'static [&'static str] = &["periodic", "update"];

    fn read(_: &mut Vm, _: &Value, _: &'static str) -> Res<()> {
        Ok(())
    }

    fn declare((): &(), _: &mut Children<'_>) -> Res<()> {
        Ok(())
    }
}
