//! What the `openssl_*` resources share: keys, names and certificates as objects of Ruby's OpenSSL, backed by the OpenSSL library.

use super::support::*;
use rchef_host::{Host, compose, files};
use rchef_recipe::provider::composite::{Child, Children};
use rchef_ruby::{ClassId, Res, Symbol, Value, Vm};

/// A class or module in `OpenSSL`.
pub(crate) fn class(vm: &mut Vm, name: &'static str) -> Res {
    rchef_ruby::embed::load::require(vm, "openssl")?;
    let Some(module) = vm.class_named("OpenSSL") else { return Err(vm.not_implemented("OpenSSL")) };
    let mut found = Value::Class(module);
    for part in name.split("::") {
        found = vm.call_name(&found, "const_get", &[Value::Sym(Symbol::intern(part))])?;
    }
    Ok(found)
}

/// A new instance of a class in `OpenSSL`.
pub(crate) fn new(vm: &mut Vm, name: &'static str, args: &[Value]) -> Res {
    let class = class(vm, name)?;
    vm.call_name(&class, "new", args)
}

/// Calls an attribute writer of an object.
pub(crate) fn set(vm: &mut Vm, object: &Value, writer: &str, value: Value) -> Res<()> {
    vm.call_name(object, writer, &[value]).map(drop)
}

/// A SHA-256 digest object, for all signatures.
pub(crate) fn digest(vm: &mut Vm) -> Res {
    new(vm, "Digest", &[Value::str("SHA256")])
}

/// The time this number of days from now.
pub(crate) fn in_days(vm: &mut Vm, days: i64) -> Res {
    let time = vm.class_named("Time").map(Value::Class).unwrap_or_default();
    let now = vm.call_name(&time, "now", &[])?;
    vm.call_name(&now, "+", &[Value::Int(days.saturating_mul(86_400))])
}

/// An object in PEM format.
pub(crate) fn pem(vm: &mut Vm, object: &Value) -> Res<Vec<u8>> {
    let text = vm.call_name(object, "to_pem", &[])?;
    bytes(vm, &text)
}

pub(crate) fn file(vm: &mut Vm, path: &str) -> Res {
    on(vm, |host| compose::read_file(host, path.as_bytes())).map(Value::bytes)
}

/// The content of the file at this path, or the text itself if there is no such file, as Chef takes keys.
fn content_of(host: &dyn Host, given: &str) -> Value {
    match compose::read_file(host, given.as_bytes()) {
        Ok(content) => Value::bytes(content),
        Err(_) => Value::str(given),
    }
}

/// A private key from a file or a text; None if it is not a private key or the passphrase is wrong.
pub(crate) fn private_key(vm: &mut Vm, given: &str, pass: Option<&str>) -> Res<Option<Value>> {
    let pkey = class(vm, "PKey")?;
    let host = vm.host.clone();
    // with an empty passphrase the library does not ask for one at the terminal
    let args = [content_of(&*host, given), Value::str(pass.unwrap_or_default())];
    let key = vm.rescue(ClassId::STANDARD_ERROR, |vm| vm.call_name(&pkey, "read", &args).map(Some), |_, _| Ok(None))?;
    let Some(key) = key else { return Ok(None) };
    let asks = if vm.respond_to(&key, Symbol::intern_static("private?"), false)? { "private?" } else { "private_key?" };
    let is_private = vm.call_name(&key, asks, &[])?.truthy();
    Ok(is_private.then_some(key))
}

/// A new RSA key.
pub(crate) fn rsa_key(vm: &mut Vm, length: i64) -> Res {
    new(vm, "PKey::RSA", &[Value::Int(length)])
}

/// A new key on an elliptic curve.
pub(crate) fn ec_key(vm: &mut Vm, curve: &str) -> Res {
    let class = class(vm, "PKey::EC")?;
    vm.call_name(&class, "generate", &[Value::str(curve)])
}

/// Those of owner, group and mode that are set.
#[derive(Clone)]
pub(crate) struct Owned(Vec<(&'static str, Value)>);

impl Owned {
    pub(crate) fn read(vm: &mut Vm, resource: &Value) -> Res<Owned> {
        let mut found = Vec::new();
        for name in ["owner", "group", "mode"] {
            let value = get(vm, resource, name)?;
            if !value.is_nil() {
                found.push((name, value));
            }
        }
        Ok(Owned(found))
    }

    /// A `file` resource with these properties and, if given, the content.
    pub(crate) fn file(&self, path: &str, content: Option<&[u8]>) -> Child {
        let child = Child::new("file", path);
        let child = self.0.iter().fold(child, |child, (name, value)| child.set(name, value.clone()));
        content.into_iter().fold(child, |child, content| child.set("content", Value::bytes(content)))
    }
}

/// The subject of a certificate and its key.
pub(crate) struct Identity {
    /// The fields of the subject's name, in order.
    subject: Vec<(&'static str, String)>,
    /// The path of the key: the given one, or next to the certificate.
    pub(crate) key_file: String,
    key_pass: Option<String>,
    is_rsa: bool,
    key_length: i64,
    key_curve: String,
}

impl Identity {
    pub(crate) fn read(vm: &mut Vm, resource: &Value, path: &str) -> Res<Identity> {
        let mut subject = Vec::new();
        for (field, property) in [
            ("C", "country"),
            ("ST", "state"),
            ("L", "city"),
            ("O", "org"),
            ("OU", "org_unit"),
            ("CN", "common_name"),
            ("emailAddress", "email"),
        ] {
            if let Some(value) = text_opt(vm, resource, property)? {
                subject.push((field, value));
            }
        }
        let beside = || {
            let name = lossy(files::basename(path.as_bytes()));
            let stem =
                name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name.as_str(), |(stem, _)| stem);
            format!("{}/{stem}.key", lossy(files::dirname(path.as_bytes())))
        };
        let length = get(vm, resource, "key_length")?;
        Ok(Identity {
            subject,
            key_file: text_opt(vm, resource, "key_file")?.unwrap_or_else(beside),
            key_pass: text_opt(vm, resource, "key_pass")?,
            is_rsa: text(vm, resource, "key_type")? == "rsa",
            key_length: vm.to_int(&length)?,
            key_curve: text(vm, resource, "key_curve")?,
        })
    }

    /// The key in the file, or a new key.
    pub(crate) fn key(&self, vm: &mut Vm) -> Res {
        let host = vm.host.clone();
        if compose::exists(&*host, self.key_file.as_bytes())
            && let Some(key) = private_key(vm, &self.key_file, self.key_pass.as_deref())?
        {
            return Ok(key);
        }
        if self.is_rsa { rsa_key(vm, self.key_length) } else { ec_key(vm, &self.key_curve) }
    }

    /// A certificate signing request for the subject, signed with the key.
    pub(crate) fn request(&self, vm: &mut Vm, key: &Value) -> Res {
        let subject = new(vm, "X509::Name", &[])?;
        for (field, value) in &self.subject {
            vm.call_name(&subject, "add_entry", &[Value::str(field), Value::str(value)])?;
        }
        let request = new(vm, "X509::Request", &[])?;
        set(vm, &request, "version=", Value::Int(0))?;
        set(vm, &request, "subject=", subject)?;
        set(vm, &request, "public_key=", key.clone())?;
        let digest = digest(vm)?;
        vm.call_name(&request, "sign", &[key.clone(), digest])?;
        Ok(request)
    }
}

/// Declares a `log` resource; Chef's resources do so before long operations.
pub(crate) fn say(children: &mut Children<'_>, text: String) -> Res<()> {
    children.declare(Child::new("log", text)).map(drop)
}
