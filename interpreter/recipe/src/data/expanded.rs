//! The expanded run list of the run, which [`super::role`] makes and others read.

use rchef_model::role::Role;
use rchef_ruby::Vm;

/// A role or an environment, and the file that it comes from.
#[derive(Clone, Debug)]
pub struct Stored {
    pub role: Role,
    /// Relative to the chef-repo, e.g. `roles/web.rb`.
    pub source: String,
}
impl AsRef<Role> for Stored {
    fn as_ref(&self) -> &Role {
        &self.role
    }
}

pub type Expansion = rchef_model::run_list::Expansion<Stored>;

#[derive(Default)]
struct OfRun(Expansion);

pub fn of_run(vm: &mut Vm) -> &mut Expansion {
    &mut vm.extension::<OfRun>().0
}
