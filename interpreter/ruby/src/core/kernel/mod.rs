//! Functions of Kernel by kind: `output`, `flow`, `eval`, `exit`; and the main `program`.

mod eval;
pub(crate) mod exit;
mod flow;
mod output;
pub(crate) mod program;

use crate::Vm;
use crate::class::ClassId;

pub use output::write_host;

pub(super) fn boot(vm: &mut Vm) {
    for table in [output::FUNCTIONS, flow::FUNCTIONS, eval::FUNCTIONS, exit::FUNCTIONS, exit::ENDING] {
        vm.define_module_functions(ClassId::KERNEL, table);
    }
}
