//! Results in registers. A [`Res`] is 16 bytes, which Rust's calling convention returns through memory. An [`Outcome`] is the same bytes as two machine
//! words (pointers, for one of them may be one), which come back in two registers; the functions of the executor that call each other for every node give these.

use crate::error::{Error, Res};
use crate::value::Value;
use std::mem::{MaybeUninit, transmute};

/// A [`Res`] on its way through registers. To be turned back with [`Outcome::res`]: one that is dropped leaks what it holds.
#[must_use]
#[allow(dead_code)] // read as a whole
pub(crate) struct Outcome(MaybeUninit<*const ()>, MaybeUninit<*const ()>);

impl Outcome {
    #[inline(always)]
    pub(crate) fn value(value: Value) -> Outcome {
        Outcome::from(Ok(value))
    }
    /// An exception or jump.
    #[inline(always)]
    pub(crate) fn error(error: Error) -> Outcome {
        Outcome::from(Err(error))
    }
    #[inline(always)]
    pub(crate) fn res(self) -> Res {
        // SAFETY: the words were made of a `Res` by `from`, the only place that makes them, and are given up here; `MaybeUninit` has kept every
        // byte of it as it was, padding included. That both have the same size is checked by `transmute`.
        unsafe { transmute::<Outcome, Res>(self) }
    }
}

impl From<Res> for Outcome {
    #[inline(always)]
    fn from(result: Res) -> Outcome {
        // SAFETY: any bytes, initialised or not, are two `MaybeUninit` words; the sizes are checked by `transmute`.
        unsafe { transmute::<Res, Outcome>(result) }
    }
}

/// The value of a result, or the end of the function, whose own result is an [`Outcome`].
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return $crate::exec::outcome::Outcome::error(error),
        }
    };
}
pub(crate) use ok;
