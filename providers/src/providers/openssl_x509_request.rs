//! `openssl_x509_request`: a certificate signing request and its key.

use super::openssl::{self, Identity, Owned};
use super::support::*;
use rchef_change::{Task, Why};
use rchef_host::compose;
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct OpensslX509Request;

/// What an `openssl_x509_request` resource asks for.
pub(crate) struct Desired {
    path: String,
    /// The resource's name in messages.
    shown: String,
    identity: Identity,
    owned: Owned,
}

impl Composite for OpensslX509Request {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let path = text(vm, resource, "path")?;
        Ok(Desired {
            shown: vm.to_s_text(resource)?,
            identity: Identity::read(vm, resource, &path)?,
            owned: Owned::read(vm, resource)?,
            path,
        })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let Desired { path, identity, owned, .. } = desired;
        let host = children.host();
        if compose::exists(&*host, path.as_bytes()) {
            return Ok(());
        }
        let task = Task::new("certificate_request", path, Why::Absent, format!("Create CSR {}", desired.shown));
        children.converge(task, |children| {
            let vm = children.vm();
            let key = identity.key(vm)?;
            let request = identity.request(vm, &key)?;
            let (request, key) = (openssl::pem(vm, &request)?, openssl::pem(vm, &key)?);
            children.declare(owned.file(path, Some(&request)).action("create"))?;
            let file = owned.file(&identity.key_file, Some(&key)).flag("sensitive", true);
            children.declare(file.action("create_if_missing")).map(drop)
        })
    }
}
