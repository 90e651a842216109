//! The core classes, one module per class (a directory for large classes). `boot` registers their tables.

pub mod argf;
pub mod array;
pub mod binding;
pub mod comparable;
mod construct;
mod converter;
pub mod copy;
mod coroutine;
pub mod dir;
pub mod encoding;
pub mod enumerable;
pub mod enumerator;
pub mod env;
pub mod exception;
pub mod fiber;
pub mod file;
pub mod globals;
pub mod io;
pub mod ivars;
pub mod kernel;
pub mod load;
pub mod location;
pub mod method;
pub mod module;
pub mod mutex;
pub(crate) mod natives;
pub mod object;
pub mod path;
pub mod proc;
pub mod process;
pub mod queue;
pub mod range;
pub mod regexp;
pub mod signal;
pub mod string;
pub mod symbol;
pub mod thread;
pub mod time;

pub mod complex;
pub mod conversions;
pub(crate) mod coverage;
pub mod float;
pub mod gc;
pub mod hash;
pub mod integer;
pub mod marshal;
pub mod math;
pub mod nil;
pub mod numeric;
pub mod object_space;
pub mod random;
pub mod rational;
pub(crate) mod ruby_vm;
pub mod step;
pub mod structs;
pub(crate) mod trace_point;
mod warning;
mod weak_map;

use crate::error::Res;
use crate::vm::Vm;
use rchef_host::Host;
use std::rc::Rc;

/// Registers all core classes.
fn boot(vm: &mut Vm) {
    object::boot(vm);
    copy::boot(vm);
    ivars::boot(vm);
    kernel::boot(vm);
    warning::boot(vm);
    module::boot(vm);
    exception::boot(vm);
    proc::boot(vm);
    method::boot(vm);
    binding::boot(vm);
    location::boot(vm);
    globals::boot(vm);
    enumerable::boot(vm);
    array::boot(vm);
    range::boot(vm);
    enumerator::boot(vm);
    fiber::boot(vm);
    thread::boot(vm);
    mutex::boot(vm);
    queue::boot(vm);
    signal::boot(vm);
    regexp::boot(vm);
    comparable::boot(vm);
    string::boot(vm);
    symbol::boot(vm);
    encoding::boot(vm);
    converter::boot(vm);
    load::boot(vm);
    numeric::boot(vm);
    integer::boot(vm);
    float::boot(vm);
    rational::boot(vm);
    complex::boot(vm);
    nil::boot(vm);
    hash::boot(vm);
    math::boot(vm);
    conversions::boot(vm);
    io::boot(vm);
    file::boot(vm);
    dir::boot(vm);
    env::boot(vm);
    process::boot(vm);
    time::boot(vm);
    argf::boot(vm);
    structs::boot(vm);
    random::boot(vm);
    gc::boot(vm);
    object_space::boot(vm);
    weak_map::boot(vm);
    trace_point::boot(vm);
    ruby_vm::boot(vm);
    coverage::boot(vm);
    marshal::boot(vm);
}

impl Vm {
    /// A VM with all core classes. None if this thread already has a live VM.
    pub fn new(host: Rc<dyn Host>) -> Option<Vm> {
        let mut vm = Vm::bare(host)?;
        vm.in_bulk(boot);
        vm.redefined = false;
        // allocated after everything that is written at each start, to keep that contiguous: see `one_heap` of the host
        vm.stacks.grow(1 << 16);
        Some(vm)
    }

    /// Handles pending signals and timers, runs finalizers that are due, and lets other threads run.
    pub(crate) fn run_interrupts(&mut self) -> Res<()> {
        object_space::finalize_unreferenced(self);
        signal::run_pending(self)?;
        thread::tick(self)
    }
}
