//! Numbers as the types of C hold them.

use crate::Vm;
use crate::error::{Error, Res};
use crate::value::Value;
use num_traits::ToPrimitive;
use rchef_syntax::symbol::sym;

impl Vm {
    /// Converts to a C `int`; RangeError if it does not fit.
    pub fn to_c_int(&mut self, value: &Value) -> Res<i32> {
        let number = self.to_int(value)?;
        i32::try_from(number).map_err(|_| self.beyond(number, "int"))
    }
    /// The RangeError for a number that a type of C does not hold.
    fn beyond(&mut self, number: i64, c_type: &str) -> Error {
        let size = if number < 0 { "small" } else { "big" };
        self.range_error(format!("integer {number} too {size} to convert to `{c_type}'"))
    }
    /// Converts to a C `unsigned int`, in which negative numbers wrap around; RangeError if it does not fit.
    pub fn to_c_unsigned(&mut self, value: &Value) -> Res<u32> {
        let found = match value {
            Value::Float(_) => Some(self.to_int(value)?),
            _ => self.to_bigint(value)?.to_i64(),
        };
        let Some(number) = found else {
            return Err(self.range_error("bignum too big to convert into `unsigned long'"));
        };
        let found = u32::try_from(number).or_else(|_| i32::try_from(number).map(|number| number as u32));
        found.map_err(|_| self.beyond(number, "unsigned int"))
    }
    /// Converts to a C `double` with `to_f`, which nil, true, false and Strings are not asked for (`NUM2DBL`).
    pub fn to_c_double(&mut self, value: &Value) -> Res<f64> {
        let from = match value {
            Value::Nil => "nil",
            Value::True => "true",
            Value::False => "false",
            Value::Str(_) => "string",
            Value::Object(_) if self.respond_to(value, sym::TO_F, false)? => {
                let float = self.call(value, sym::TO_F, &[])?;
                return self.to_f64(&float);
            }
            _ => return self.to_f64(value),
        };
        Err(self.type_error(format!("no implicit conversion to float from {from}")))
    }
    /// Converts to a C `long long`, or to an `unsigned long long`, in which negative numbers wrap around; RangeError if it does not fit.
    pub fn to_c_wide(&mut self, value: &Value, is_unsigned: bool) -> Res<u64> {
        let from = match value {
            Value::Nil => Some("nil"),
            Value::Str(_) => Some("string"),
            Value::True | Value::False => Some("boolean"),
            _ => None,
        };
        if let Some(from) = from {
            return Err(self.type_error(format!("no implicit conversion from {from}")));
        }
        let number = self.to_bigint(value)?;
        let found = number.to_i64().map(|number| number as u64).or_else(|| number.to_u64().filter(|_| is_unsigned));
        found.ok_or_else(|| {
            self.range_error(match number.bits() {
                0..=64 if is_unsigned => "bignum out of range of unsigned long long",
                _ if is_unsigned => "bignum too big to convert into `unsigned long long'",
                _ => "bignum too big to convert into `long long'",
            })
        })
    }
}
