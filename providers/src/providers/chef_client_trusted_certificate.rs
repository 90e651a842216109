//! `chef_client_trusted_certificate`: a file in the client's directory of trusted certificates.

use super::chef_client::joined;
use super::support::*;
use rchef_change::Assertion;
use rchef_host::{Host, compose};
use rchef_recipe::provider::composite::{Child, Children, Composite};
use rchef_ruby::{Args, MethodDef, Res, Value, Vm, def};

pub(crate) struct TrustedCertificate;

/// What a `chef_client_trusted_certificate` resource asks for.
pub(crate) struct Desired {
    add: bool,
    name: String,
    directory: String,
    certificate: Value,
    sensitive: bool,
}

/// The file of a certificate in the client's directory of trusted ones.
fn file(directory: &str, name: &str) -> String {
    joined(directory, &format!("{}.pem", name.strip_suffix(".pem").unwrap_or(name)))
}

/// The methods of the provider.
pub(crate) static METHODS: &[MethodDef] = &[def("cert_path", cert_path, 0)];

fn cert_path(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let resource = new_resource(vm, this)?;
    let directory = crate::coerce::config(vm, "trusted_certs_dir")?;
    Ok(Value::str(file(&vm.to_s_text(&directory)?, &text(vm, &resource, "cert_name")?)))
}

impl Composite for TrustedCertificate {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["add", "remove"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let directory = crate::coerce::config(vm, "trusted_certs_dir")?;
        Ok(Desired {
            add: action == "add",
            name: text(vm, resource, "cert_name")?,
            directory: vm.to_s_text(&directory)?,
            certificate: get(vm, resource, "certificate")?,
            sensitive: flag(vm, resource, "sensitive")?,
        })
    }

    fn requirements(desired: &Desired, _: &dyn Host) -> Looked<Vec<Assertion>> {
        Ok(unfit("Chef::Exceptions::ValidationFailed", "certificate", &desired.name).into_iter().collect())
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let file = Child::new("file", file(&desired.directory, &desired.name));
        if !desired.add {
            return children.declare(file.action("delete")).map(drop);
        }
        if !compose::exists(&*children.host(), desired.directory.as_bytes()) {
            let directory = Child::new("directory", &*desired.directory).text("mode", "0640").flag("recursive", true);
            children.declare(directory)?;
        }
        let file = file.set("content", desired.certificate.clone()).text("mode", "0640");
        children.declare(file.flag("sensitive", desired.sensitive)).map(drop)
    }
}
