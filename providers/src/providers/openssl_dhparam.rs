//! `openssl_dhparam`: Diffie-Hellman parameters.

use super::openssl::{self, Owned};
use super::support::*;
use rchef_host::compose;
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{ClassId, Res, Value, Vm};

pub(crate) struct OpensslDhparam;

/// What an `openssl_dhparam` resource asks for.
pub(crate) struct Desired {
    path: String,
    length: Value,
    generator: Value,
    owned: Owned,
}

/// Whether a file holds parameters that the library accepts.
fn is_valid(vm: &mut Vm, content: &[u8]) -> Res<bool> {
    let class = openssl::class(vm, "PKey::DH")?;
    vm.rescue(
        ClassId::STANDARD_ERROR,
        |vm| {
            let parameters = vm.call_name(&class, "new", &[Value::bytes(content)])?;
            Ok(vm.call_name(&parameters, "params_ok?", &[])?.truthy())
        },
        |_, _| Ok(false),
    )
}

impl Composite for OpensslDhparam {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        Ok(Desired {
            path: text(vm, resource, "path")?,
            length: get(vm, resource, "key_length")?,
            generator: get(vm, resource, "generator")?,
            owned: Owned::read(vm, resource)?,
        })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let host = children.host();
        let found = compose::read_file(&*host, desired.path.as_bytes()).ok();
        let applies = children.applies();
        let vm = children.vm();
        let is_valid = match &found {
            Some(content) => is_valid(vm, content)?,
            None => false,
        };
        let mut content = None;
        // generating parameters takes long, and a why-run shows nothing of a new file
        if !is_valid && (applies || found.is_some()) {
            let parameters = openssl::new(vm, "PKey::DH", &[desired.length.clone(), desired.generator.clone()])?;
            content = Some(openssl::pem(vm, &parameters)?);
        }
        let file = desired.owned.file(&desired.path, content.as_deref());
        children.declare(file.flag("sensitive", true).action("create")).map(drop)
    }
}
