//! Encoding.

use crate::Vm;
use crate::class::ClassId;
use crate::value::{NativeData, Value};
use rchef_text::encoding::Encoding;

/// State of an Encoding object.
pub struct EncodingData(pub Encoding);
impl NativeData for EncodingData {}

#[derive(Default)]
struct Objects(Vec<(u8, Value)>);

/// The Encoding object: always the same for the same encoding.
pub fn object(vm: &mut Vm, encoding: Encoding) -> Value {
    let key = encoding as u8;
    if let Some((_, found)) = vm.extension::<Objects>().0.iter().find(|(known, _)| *known == key) {
        return found.clone();
    }
    let made = Value::data(ClassId::ENCODING, EncodingData(encoding));
    vm.extension::<Objects>().0.push((key, made.clone()));
    made
}

pub(super) fn boot(_vm: &mut Vm) {}
