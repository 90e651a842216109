//! `openssl_rsa_public_key` and `openssl_ec_public_key`: the public part of a private key.

use super::openssl::{self, Owned};
use super::support::*;
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct OpensslRsaPublicKey;
pub(crate) struct OpensslEcPublicKey;

/// What a public key's resource asks for.
pub(crate) struct Desired {
    path: String,
    /// The private key: its path, or the key as text.
    private: Result<String, &'static str>,
    private_path: String,
    pass: Option<String>,
    owned: Owned,
}

fn read(vm: &mut Vm, resource: &Value) -> Res<Desired> {
    let path = text_opt(vm, resource, "private_key_path")?;
    let content = text_opt(vm, resource, "private_key_content")?;
    let private_path = path.clone().unwrap_or_default();
    let private = match (path, content) {
        (Some(_), Some(_)) => {
            Err("You cannot specify both 'private_key_path' and 'private_key_content' properties at the same time.")
        }
        (Some(given), None) | (None, Some(given)) => Ok(given),
        (None, None) => {
            Err("You must specify the private key with either 'private_key_path' or 'private_key_content' properties.")
        }
    };
    Ok(Desired {
        path: text(vm, resource, "path")?,
        private,
        private_path,
        pass: text_opt(vm, resource, "private_key_pass")?,
        owned: Owned::read(vm, resource)?,
    })
}

fn declare(desired: &Desired, children: &mut Children<'_>, kind: &str) -> Res<()> {
    let vm = children.vm();
    let private = match &desired.private {
        Ok(private) => private,
        Err(text) => return Err(vm.argument_error(text)),
    };
    let Some(key) = openssl::private_key(vm, private, desired.pass.as_deref())? else {
        let text = format!("{} not a valid private {kind} key or password is invalid", desired.private_path);
        return Err(vm.runtime_error(&text));
    };
    let text = vm.call_name(&key, "public_to_pem", &[])?;
    let content = bytes(vm, &text)?;
    children.declare(desired.owned.file(&desired.path, Some(&content)).action("create")).map(drop)
}

impl Composite for OpensslRsaPublicKey {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        read(vm, resource)
    }
    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        declare(desired, children, "RSA")
    }
}

impl Composite for OpensslEcPublicKey {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        read(vm, resource)
    }
    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        declare(desired, children, "EC")
    }
}
