//! Results in registers. Rust returns a [`Res`] of 16 bytes through memory. An [`Outcome`] has the same bytes as two machine words (typed as
//! pointers, because one may be a pointer), which are returned in two registers; the executor's functions that call each other for every node return
//! these.

use crate::error::{Error, Res};
use crate::value::Value;
use std::mem::{MaybeUninit, transmute};

/// A [`Res`] as two words. It must be converted back with [`Outcome::res`]: dropping it leaks its contents.
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
    /// The result of a statement that ends the code around it; None for `Undef`, the value of a statement after which the code goes on.
    #[inline(always)]
    pub(crate) fn ended(self) -> Option<Outcome> {
        match self.res() {
            Ok(value) if matches!(value, Value::Undef) => {
                std::mem::forget(value);
                None
            }
            done => Some(done.into()),
        }
    }
    #[inline(always)]
    pub(crate) fn res(self) -> Res {
        // SAFETY: the words were made from a `Res` by `from`, the only place that makes them, and are consumed here; `MaybeUninit` has preserved
        // every byte, including padding. `transmute` checks that both have the same size.
        unsafe { transmute::<Outcome, Res>(self) }
    }
}

impl From<Res> for Outcome {
    #[inline(always)]
    fn from(result: Res) -> Outcome {
        // SAFETY: any bytes, initialised or not, are two valid `MaybeUninit` words; `transmute` checks the sizes.
        unsafe { transmute::<Res, Outcome>(result) }
    }
}

/// The value of a result; on an error returns it from the function, whose result is an [`Outcome`].
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return $crate::exec::outcome::Outcome::error(error),
        }
    };
}
pub(crate) use ok;
