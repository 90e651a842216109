//! The numbers of RSA, DSA and DH keys.

use super::{Key, failed, key, with_public};
use crate::openssl::bn;
use openssl::bn::{BigNum, BigNumRef};
use openssl::dh::Dh;
use openssl::dsa::Dsa;
use openssl::error::ErrorStack;
use openssl::pkey::{Id, PKey};
use openssl::rsa::{Rsa, RsaPrivateKeyBuilder};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def};

static METHODS: &[MethodDef] = &[
    def("number", number, 1).private(),
    def("take_numbers", take_numbers, 2).private(),
    def("shared_secret", shared_secret, 1).private(),
    def("sound_parameters?", sound_parameters, 0).private(),
];

pub(super) fn init(vm: &mut Vm, class: ClassId) {
    vm.define_methods(class, METHODS);
}

fn owned(number: Option<&BigNumRef>) -> Option<BigNum> {
    number.and_then(|number| number.to_owned().ok())
}
fn rsa_number(key: &Key, name: &str) -> Option<BigNum> {
    if let (Key::Private(private), "d" | "p" | "q" | "dmp1" | "dmq1" | "iqmp") = (key, name) {
        let rsa = private.rsa().ok()?;
        return owned(match name {
            "d" => Some(rsa.d()),
            "p" => rsa.p(),
            "q" => rsa.q(),
            "dmp1" => rsa.dmp1(),
            "dmq1" => rsa.dmq1(),
            _ => rsa.iqmp(),
        });
    }
    with_public!(key, key => key.rsa().ok().and_then(|rsa| match name {
        "n" => owned(Some(rsa.n())),
        "e" => owned(Some(rsa.e())),
        _ => None,
    }))
    .flatten()
}
fn dsa_number(key: &Key, name: &str) -> Option<BigNum> {
    if let (Key::Private(private), "priv_key") = (key, name) {
        return owned(Some(private.dsa().ok()?.priv_key()));
    }
    with_public!(key, key => key.dsa().ok().and_then(|dsa| match name {
        "p" => owned(Some(dsa.p())),
        "q" => owned(Some(dsa.q())),
        "g" => owned(Some(dsa.g())),
        "pub_key" => owned(Some(dsa.pub_key())),
        _ => None,
    }))
    .flatten()
}
fn dh_number(key: &Key, name: &str) -> Option<BigNum> {
    fn shared<T: openssl::pkey::HasParams>(dh: &Dh<T>, name: &str) -> Option<BigNum> {
        match name {
            "p" => owned(Some(dh.prime_p())),
            "q" => owned(dh.prime_q()),
            "g" => owned(Some(dh.generator())),
            _ => None,
        }
    }
    match (key, name) {
        (Key::Params(key), _) => shared(&key.dh().ok()?, name),
        (Key::Private(key), "priv_key") => owned(Some(key.dh().ok()?.private_key())),
        (Key::Private(key), "pub_key") => owned(Some(key.dh().ok()?.public_key())),
        (Key::Public(key), "pub_key") => owned(Some(key.dh().ok()?.public_key())),
        (Key::Private(key), _) => shared(&key.dh().ok()?, name),
        (Key::Public(key), _) => shared(&key.dh().ok()?, name),
    }
}
/// `(name)`: an OpenSSL::BN, or nil if the key has no such number.
fn number(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_text(args.at(0))?;
    let Some(key) = vm.data::<Key>(this) else { return Ok(Value::Nil) };
    let found = match key.id() {
        Id::RSA | Id::RSA_PSS => rsa_number(key, &name),
        Id::DSA => dsa_number(key, &name),
        Id::DH | Id::DHX => dh_number(key, &name),
        _ => None,
    };
    Ok(match found {
        Some(found) => bn::value(vm, found),
        None => Value::Nil,
    })
}

type Numbers = Vec<Option<BigNum>>;
fn rsa(mut numbers: Numbers) -> Result<Option<Key>, ErrorStack> {
    numbers.resize_with(8, || None);
    let mut numbers = numbers.into_iter();
    let mut next = || numbers.next().flatten();
    let (Some(n), Some(e)) = (next(), next()) else { return Ok(None) };
    let Some(d) = next() else {
        return PKey::from_rsa(Rsa::from_public_components(n, e)?).map(|key| Some(Key::Public(key)));
    };
    let mut builder = RsaPrivateKeyBuilder::new(n, e, d)?;
    if let (Some(p), Some(q)) = (next(), next()) {
        builder = builder.set_factors(p, q)?;
        if let (Some(dmp1), Some(dmq1), Some(iqmp)) = (next(), next(), next()) {
            builder = builder.set_crt_params(dmp1, dmq1, iqmp)?;
        }
    }
    PKey::from_rsa(builder.build()).map(|key| Some(Key::Private(key)))
}
fn dsa(mut numbers: Numbers) -> Result<Option<Key>, ErrorStack> {
    numbers.resize_with(5, || None);
    let mut numbers = numbers.into_iter();
    let mut next = || numbers.next().flatten();
    let (Some(p), Some(q), Some(g)) = (next(), next(), next()) else { return Ok(None) };
    Ok(Some(match (next(), next()) {
        (None, _) => Key::Params(PKey::from_dsa(Dsa::from_pqg(p, q, g)?)?),
        (Some(public), None) => Key::Public(PKey::from_dsa(Dsa::from_public_components(p, q, g, public)?)?),
        (Some(public), Some(private)) => {
            Key::Private(PKey::from_dsa(Dsa::from_private_components(p, q, g, private, public)?)?)
        }
    }))
}
fn dh(mut numbers: Numbers) -> Result<Option<Key>, ErrorStack> {
    numbers.resize_with(5, || None);
    let mut numbers = numbers.into_iter();
    let mut next = || numbers.next().flatten();
    let (p, q, g) = (next(), next(), next());
    let (Some(p), Some(g)) = (p, g) else { return Ok(None) };
    let parameters = Dh::from_pqg(p, q, g)?;
    Ok(Some(match (next(), next()) {
        (None, None) => Key::Params(PKey::from_dh(parameters)?),
        (Some(public), None) => Key::Public(PKey::from_dh(parameters.set_public_key(public)?)?),
        (None, Some(private)) => Key::Private(PKey::from_dh(parameters.set_private_key(private)?)?),
        (Some(public), Some(private)) => Key::Private(PKey::from_dh(parameters.set_key(public, private)?)?),
    }))
}
/// `(kind, numbers)`: becomes the key with these numbers, in the order of their names in Ruby; unknown ones are nil.
fn take_numbers(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let kind = vm.to_text(args.at(0))?;
    let mut numbers = Vec::new();
    for each in vm.to_array(args.at(1))? {
        numbers.push(if each.is_nil() { None } else { Some(bn::number(vm, &each)?) });
    }
    let made = match kind.as_str() {
        "RSA" => rsa(numbers),
        "DSA" => dsa(numbers),
        _ => dh(numbers),
    };
    match made {
        Ok(Some(key)) => vm.set_data(this, key),
        Ok(None) => return Err(vm.argument_error("too few numbers for a key")),
        Err(stack) => return Err(failed(vm, "EVP_PKEY_fromdata", &stack)),
    }
    Ok(this.clone())
}

/// `(peer's public number)`: the shared secret of DH, as long as the prime.
fn shared_secret(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Key::Private(own) = key(vm, this)? else { return Err(super::private_needed(vm)) };
    let peer = bn::number(vm, args.at(0))?;
    let made = own.dh().and_then(|dh| dh.compute_key(&peer));
    made.map(crate::openssl::binary).map_err(|stack| failed(vm, "DH_compute_key", &stack))
}
/// Whether the DH parameters are valid.
fn sound_parameters(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let sound = match key(vm, this)? {
        Key::Params(key) => key.dh().and_then(|dh| dh.check_key()),
        Key::Private(key) => key.dh().and_then(|dh| dh.check_key()),
        Key::Public(key) => key.dh().and_then(|dh| dh.check_key()),
    };
    Ok(Value::bool(sound.unwrap_or(false)))
}
