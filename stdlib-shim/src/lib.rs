//! The standard library that Ruby code requires, natively or as embedded Ruby.

mod stringio;
mod strscan;

use rchef_ruby::Vm;
use rchef_ruby::vm::Library;

/// Makes the libraries known to `require`. Nothing is loaded yet.
pub fn register(vm: &mut Vm) {
    for (name, library) in [("stringio", Library::Native(stringio::init)), ("strscan", Library::Native(strscan::init))] {
        vm.libraries.insert(name, library);
    }
}
