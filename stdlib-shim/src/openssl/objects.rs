//! The objects of ASN.1 that libcrypto knows: identifiers with a short and a long name.

use super::{binary, bytes, error, failure};
use openssl::asn1::Asn1Object;
use openssl::nid::Nid;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

static NATIVE: &[MethodDef] = &[def("object", object, 1), def("register", register, 3)];

/// Defines OpenSSL::ASN1::Native, which is used by the Ruby part.
pub(super) fn init(vm: &mut Vm, openssl: ClassId, error: ClassId) {
    let module = vm.define_module(openssl, "ASN1");
    vm.define_class(module, "ASN1Error", error);
    let native = vm.define_module(module, "Native");
    vm.define_module_functions(native, NATIVE);
}

/// The objects that libcrypto has got since 3.0: programs for Ruby 3.1 expect their identifiers in figures, as they see them there.
const ADDED: std::ops::Range<i32> = 1248..1501;

/// `object(text)`: the encoded identifier of a name or of a dotted one, and the short and the long name; these are nil if it has none.
fn object(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let text = String::from_utf8_lossy(&bytes(vm, args.at(0))?).into_owned();
    let found = Asn1Object::from_str(&text)
        .map_err(|stack| failure(vm, "ASN1::ASN1Error", &format!("invalid OBJECT ID {text}"), &stack))?;
    let nid = found.nid();
    let is_named = nid != Nid::UNDEF && !ADDED.contains(&nid.as_raw());
    let name = |name: Result<&'static str, openssl::error::ErrorStack>| match name {
        Ok(name) if is_named => Value::str(name),
        _ => Value::Nil,
    };
    Ok(Value::array(vec![binary(found.as_slice().to_vec()), name(nid.short_name()), name(nid.long_name())]))
}

/// `register(oid, short, long)`: gives an identifier names for the rest of the process.
fn register(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let mut texts = Vec::new();
    for at in 0..3 {
        texts.push(String::from_utf8_lossy(&bytes(vm, args.at(at))?).into_owned());
    }
    match texts.iter().any(|text| text.contains('\0')) {
        true => Err(error(vm, "ASN1::ASN1Error", "an object's name contains a null byte")),
        false => Nid::create(&texts[0], &texts[1], &texts[2])
            .map(|_| Value::True)
            .map_err(|stack| failure(vm, "ASN1::ASN1Error", "", &stack)),
    }
}
