//! stub until node lands
use rchef_ruby::*;
#[allow(missing_docs)]
pub enum Component { Automatic, Normal }
#[allow(missing_docs)]
pub fn boot(_vm: &mut Vm) {}
#[allow(missing_docs)]
pub fn create(_vm: &mut Vm, _n: &str) -> Res { Ok(Value::Nil) }
#[allow(missing_docs)]
pub fn set_component(_vm: &mut Vm, _n: &Value, _c: Component, _v: Value) -> Res<()> { Ok(()) }
#[allow(missing_docs)]
pub fn merge_into(_vm: &mut Vm, _n: &Value, _c: Component, _v: Value) -> Res<()> { Ok(()) }
#[allow(missing_docs)]
pub fn merged(_vm: &mut Vm, _n: &Value, _w: bool) -> Res { Ok(Value::Nil) }
