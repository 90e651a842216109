//! `String#crypt`.

use super::common::me;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::error::Res;
use crate::method::{MethodDef, def};
use crate::string::RString;
use crate::value::Value;
use rchef_text::crypt::{self, CryptError};

static METHODS: &[MethodDef] = &[def("crypt", hash, 1)];

pub(super) fn boot(vm: &mut Vm) {
    vm.define_methods(ClassId::STRING, METHODS);
}

/// `crypt(setting)`, like crypt(3) in libxcrypt.
fn hash(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let setting = vm.to_str(args.at(0))?.get(vm).bytes().to_vec();
    if setting.iter().take_while(|byte| **byte != 0).take(2).count() < 2 {
        return Err(vm.argument_error("salt too short (need >=2 bytes)"));
    }
    let password = me(vm, this)?.get(vm).bytes().to_vec();
    if password.contains(&0) || setting.contains(&0) {
        return Err(vm.argument_error("string contains null byte"));
    }
    vm.tick_by(crypt::rounds(&setting))?;
    let bytes = match crypt::crypt(&password, &setting) {
        Ok(bytes) => bytes,
        // a value that is never equal to a hash
        Err(CryptError::Invalid) => if setting.starts_with(b"*0") { b"*1" } else { b"*0" }.to_vec(),
        Err(CryptError::Unknown(method)) => {
            return Err(
                vm.not_implemented(format!("String#crypt does not know {method}, use a setting of SHA-512 ($6$)"))
            );
        }
    };
    Ok(Value::string(RString::binary(bytes)))
}
