//! The events and what is told of one.

use crate::method::MethodId;
use crate::value::Value;

/// A statement begins, in code that has been parsed for it (`ParseRequest::marks`).
pub(crate) const LINE: u16 = 1;
/// The body of a class, module or singleton class begins.
pub(crate) const CLASS: u16 = 1 << 1;
/// The body of a class, module or singleton class ends.
pub(crate) const END: u16 = 1 << 2;
pub(crate) const RAISE: u16 = 1 << 3;
/// A method written in Ruby is called.
pub(crate) const CALL: u16 = 1 << 4;
pub(crate) const RETURN: u16 = 1 << 5;
/// A native method is called.
pub(crate) const C_CALL: u16 = 1 << 6;
pub(crate) const C_RETURN: u16 = 1 << 7;
/// A block written in Ruby is called.
pub(crate) const B_CALL: u16 = 1 << 8;
pub(crate) const B_RETURN: u16 = 1 << 9;
pub(crate) const THREAD_BEGIN: u16 = 1 << 10;
pub(crate) const THREAD_END: u16 = 1 << 11;
pub(crate) const FIBER_SWITCH: u16 = 1 << 12;
pub(crate) const SCRIPT_COMPILED: u16 = 1 << 13;

/// Marked lines are counted (Coverage).
pub(crate) const COVER_LINES: u16 = 1 << 14;
/// Calls of methods written in Ruby are counted (Coverage).
pub(crate) const COVER_METHODS: u16 = 1 << 15;
/// Events for which the body of a method is looked at.
pub(crate) const BODIES: u16 = CALL | RETURN | COVER_METHODS;

/// Events of natives.
pub(crate) const NATIVE: u16 = C_CALL | C_RETURN;
/// Events for which the entries to code are looked at.
pub(super) const ENTRIES: u16 = CALL | RETURN | NATIVE | B_CALL | B_RETURN;
/// Events that happen in code, so that they can be limited to some of it.
pub(super) const OF_CODE: u16 = LINE | CLASS | END | CALL | RETURN | B_CALL | B_RETURN;

pub(super) const EVENTS: &[(&str, u16)] = &[
    ("line", LINE),
    ("class", CLASS),
    ("end", END),
    ("call", CALL),
    ("return", RETURN),
    ("c_call", C_CALL),
    ("c_return", C_RETURN),
    ("raise", RAISE),
    ("b_call", B_CALL),
    ("b_return", B_RETURN),
    ("thread_begin", THREAD_BEGIN),
    ("thread_end", THREAD_END),
    ("fiber_switch", FIBER_SWITCH),
    ("script_compiled", SCRIPT_COMPILED),
];

/// What `fire` is told beside the event.
#[derive(Default)]
pub(crate) struct About<'a> {
    /// Self and method; those of the innermost frame, unless they are given.
    pub(crate) slf: Option<&'a Value>,
    pub(crate) method: Option<MethodId>,
    pub(crate) value: Value,
    /// The line, where it is not the current one.
    pub(crate) line: Option<u32>,
    /// The file, where it is not that of the innermost frame.
    pub(crate) file: Option<&'static str>,
}
