//! What other crates use of the interpreter, beside the types at the crate's root: by topic, no more than they need. All else is internal.

/// How a method is called, in errors about methods that are missing.
pub mod call {
    pub use crate::call::CallKind;
}

/// Constants, and the ordered map that classes are made of.
pub mod class {
    pub use crate::class::{Constant, OrderedMap};
}

/// The default external encoding, and encodings as Ruby objects.
pub mod encoding {
    pub use crate::core::encoding::{default_external, object, to_encoding};
}

/// Exceptions as data.
pub mod error {
    pub use crate::error::{ExceptionData, Reason, empty};
}

/// Paths as File.expand_path makes them.
pub mod file {
    pub use crate::core::file::normalise;
}

/// What `def` in evaluated code defines methods of, and kinds of blocks.
pub mod frame {
    pub use crate::frame::{Definee, ProcKind};
}

/// The collector's count of runs.
pub mod gc {
    pub use crate::core::gc::runs;
}

/// The version of Ruby that `RUBY_VERSION` names.
pub mod globals {
    pub use crate::core::globals::ruby_version;
}

/// Flags of cells, and who holds one.
pub mod heap {
    pub use crate::heap::{FROZEN, WEAK, holders};
}

/// IO objects and their streams.
pub mod io {
    pub use crate::core::io::{
        IoData, Stream, flush_all, handle_of_fd, keep_loose, object, puts_into, stream_of, wait_for,
    };
    /// Open modes (`"r+"`, flags, keywords).
    pub mod mode {
        pub use crate::core::io::mode::open_mode;
    }
}

/// How the program of a command line runs.
pub mod program {
    pub use crate::core::kernel::program::Program;
    pub use rchef_syntax::LineLoop;
}

/// Libraries that `require` finds without a file.
pub mod library {
    pub use crate::core::load::run_embedded;
    pub use crate::library::{Library, NativeLibrary, Text};
}

/// `require`, and what it asks when it finds nothing.
pub mod load {
    pub use crate::core::load::{require, set_require_fallback};
}

/// The program's allocator, and what it counts.
pub mod memory {
    pub use crate::memory::{Counting, keep_small_blocks, live};
}

/// Methods as data: their bodies, arities and visibilities.
pub mod method {
    pub use crate::method::{Arity, Method, MethodBody, MethodId, NativeFn, Visibility};
}

/// `Process::Status`.
pub mod process {
    pub use crate::core::process::status_object;
}

/// Rational numbers.
pub mod rational {
    pub use crate::core::rational::reduced;
}

/// Regexps and their matches.
pub mod regexp {
    pub use crate::core::regexp::{RegexpData, part};
    /// Searches that heed limits.
    pub mod search {
        pub use crate::core::regexp::search::{position, prepare, watched};
    }
}

/// Signals that raise.
pub mod signal {
    pub use crate::core::signal::RAISING;
}

/// Strings of different encodings together.
pub mod string {
    pub use crate::core::string::{append, compatible};
}

/// Threads of Ruby.
pub mod thread {
    pub use crate::core::thread::yield_to_others;
}

/// The payload of an Array.
pub mod value {
    pub use crate::value::RArray;
}

/// Limits, and the stack for a program.
pub mod vm {
    pub use crate::vm::{LimitNames, Limits, on_large_stack};
}
