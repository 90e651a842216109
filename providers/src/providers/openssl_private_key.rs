//! `openssl_rsa_private_key` and `openssl_ec_private_key`.

use super::openssl::{self, Owned};
use super::support::*;
use rchef_change::{Task, Why};
use rchef_host::compose;
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct OpensslRsaPrivateKey;
pub(crate) struct OpensslEcPrivateKey;

/// What a private key's resource asks for.
pub(crate) struct Desired {
    path: String,
    pass: Option<String>,
    cipher: String,
    /// As in Chef 18: with `force`, no key is made at all.
    force: bool,
    owned: Owned,
}

fn read(vm: &mut Vm, resource: &Value) -> Res<Desired> {
    Ok(Desired {
        path: text(vm, resource, "path")?,
        pass: text_opt(vm, resource, "key_pass")?,
        cipher: text(vm, resource, "key_cipher")?,
        force: flag(vm, resource, "force")?,
        owned: Owned::read(vm, resource)?,
    })
}

impl Desired {
    fn is_done(&self, children: &mut Children<'_>) -> Res<bool> {
        let host = children.host();
        if self.force || !compose::exists(&*host, self.path.as_bytes()) {
            return Ok(self.force);
        }
        Ok(openssl::private_key(children.vm(), &self.path, self.pass.as_deref())?.is_some())
    }

    /// Declares the file of a new key, encrypted if there is a passphrase.
    fn write(&self, children: &mut Children<'_>, key: &Value) -> Res<()> {
        let vm = children.vm();
        let content = match &self.pass {
            Some(pass) => {
                let cipher = openssl::new(vm, "Cipher", &[Value::str(&self.cipher)])?;
                let text = vm.call_name(key, "to_pem", &[cipher, Value::str(pass)])?;
                bytes(vm, &text)?
            }
            None => openssl::pem(vm, key)?,
        };
        let file = self.owned.file(&self.path, Some(&content));
        children.declare(file.flag("sensitive", true).action("create")).map(drop)
    }
}

impl Composite for OpensslRsaPrivateKey {
    type Desired = (Desired, i64);
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<(Desired, i64)> {
        let length = get(vm, resource, "key_length")?;
        Ok((read(vm, resource)?, vm.to_int(&length)?))
    }

    fn declare((desired, length): &(Desired, i64), children: &mut Children<'_>) -> Res<()> {
        if desired.is_done(children)? {
            return Ok(());
        }
        let path = &desired.path;
        let task = Task::new("private_key", path, Why::Absent, format!("create {length} bit RSA key {path}"));
        children.converge(task, |children| {
            let key = openssl::rsa_key(children.vm(), *length)?;
            desired.write(children, &key)
        })
    }
}

impl Composite for OpensslEcPrivateKey {
    type Desired = (Desired, String);
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<(Desired, String)> {
        Ok((read(vm, resource)?, text(vm, resource, "key_curve")?))
    }

    fn declare((desired, curve): &(Desired, String), children: &mut Children<'_>) -> Res<()> {
        if desired.is_done(children)? {
            return Ok(());
        }
        let path = &desired.path;
        let task = Task::new("private_key", path, Why::Absent, format!("Create an EC private key {path}"));
        children.converge(task, |children| {
            openssl::say(children, format!("Generating an {curve} EC key file at {path}, this may take some time"))?;
            let key = openssl::ec_key(children.vm(), curve)?;
            desired.write(children, &key)
        })
    }
}
