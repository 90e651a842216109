//! `openssl_x509_certificate`: a certificate, signed by a certificate authority or self-signed, and its key.

use super::openssl::{self, Identity, Owned};
use super::support::*;
use rchef_host::compose;
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{ClassId, Res, Value, Vm};

pub(crate) struct OpensslX509Certificate;

const SERIAL_BITS: i64 = 160;

/// What an `openssl_x509_certificate` resource asks for.
pub(crate) struct Desired {
    path: String,
    identity: Identity,
    owned: Owned,
    /// Days until it expires.
    expire: i64,
    /// Days before the expiry date at which it is renewed.
    renew_before: Option<i64>,
    /// Name, value, and whether it is critical.
    extensions: Vec<(String, String, bool)>,
    csr_file: Option<String>,
    ca_cert_file: Option<String>,
    ca_key_file: Option<String>,
    ca_key_pass: Option<String>,
}

/// The extensions of the property, each as `{"values" => [...], "critical" => flag}`, and the alternative names.
fn extensions(vm: &mut Vm, resource: &Value) -> Res<Vec<(String, String, bool)>> {
    let mut found = Vec::new();
    for (name, given) in pairs(vm, resource, "extensions")? {
        let name = vm.to_s_text(&name)?;
        let Value::Hash(hash) = &given else {
            return Err(vm.type_error(format!("{name} must contain a Ruby Hash")));
        };
        let (values, critical) =
            (vm.hash_get(hash, &Value::str("values"))?, vm.hash_get(hash, &Value::str("critical"))?);
        let (Some(values), Some(critical)) = (values, critical) else {
            return Err(vm.argument_error(format!("keys in {name} must be 'values' and 'critical'")));
        };
        if !matches!(values, Value::Array(_)) {
            return Err(vm.type_error("the key 'values' must contain a Ruby Arrays"));
        }
        if !matches!(critical, Value::True | Value::False) {
            return Err(vm.type_error("the key 'critical' must be a Ruby Boolean true/false"));
        }
        let mut texts = Vec::new();
        for value in vm.to_array(&values)? {
            texts.push(vm.to_s_text(&value)?);
        }
        found.push((name, texts.join(","), critical.truthy()));
    }
    let names = list(vm, resource, "subject_alt_name")?;
    if !names.is_empty() {
        found.push(("subjectAltName".into(), names.join(","), false));
    }
    Ok(found)
}

impl Desired {
    /// Whether the file's certificate expires so soon that it must be renewed; true also if the file holds no certificate.
    fn is_ending(&self, vm: &mut Vm, days: i64) -> Res<bool> {
        let limit = openssl::in_days(vm, days)?;
        let content = openssl::file(vm, &self.path)?;
        vm.rescue(
            ClassId::STANDARD_ERROR,
            |vm| {
                let certificate = openssl::new(vm, "X509::Certificate", std::slice::from_ref(&content))?;
                let end = vm.call_name(&certificate, "not_after", &[])?;
                Ok(vm.call_name(&end, "<=", std::slice::from_ref(&limit))?.truthy())
            },
            |_, _| Ok(true),
        )
    }

    /// A new certificate in PEM format.
    fn certificate(&self, vm: &mut Vm, key: &Value) -> Res<Vec<u8>> {
        let request = match &self.csr_file {
            Some(path) => {
                let content = openssl::file(vm, path)?;
                openssl::new(vm, "X509::Request", &[content])?
            }
            None => self.identity.request(vm, key)?,
        };
        let made = openssl::new(vm, "X509::Certificate", &[])?;
        let numbers = openssl::class(vm, "BN")?;
        let serial = vm.call_name(&numbers, "generate_prime", &[Value::Int(SERIAL_BITS)])?;
        let (subject, public) = (vm.call_name(&request, "subject", &[])?, vm.call_name(&request, "public_key", &[])?);
        let (from, to) = (openssl::in_days(vm, 0)?, openssl::in_days(vm, self.expire)?);
        let issuer = match &self.ca_cert_file {
            Some(path) => {
                let content = openssl::file(vm, path)?;
                Some(openssl::new(vm, "X509::Certificate", &[content])?)
            }
            None => None,
        };
        let issuer_name = match &issuer {
            Some(issuer) => vm.call_name(issuer, "subject", &[])?,
            None => subject.clone(),
        };
        for (writer, value) in [
            ("serial=", serial),
            ("version=", Value::Int(2)),
            ("subject=", subject),
            ("public_key=", public),
            ("not_before=", from),
            ("not_after=", to),
            ("issuer=", issuer_name),
        ] {
            openssl::set(vm, &made, writer, value)?;
        }
        self.extend(vm, &made, issuer.as_ref())?;
        let signer = match &self.ca_key_file {
            Some(path) => openssl::private_key(vm, path, self.ca_key_pass.as_deref())?,
            None => Some(key.clone()),
        };
        let Some(signer) = signer else {
            let path = self.ca_key_file.as_deref().unwrap_or_default();
            return Err(vm.runtime_error(format!("{path} is no private key, or its passphrase is another")));
        };
        let digest = openssl::digest(vm)?;
        vm.call_name(&made, "sign", &[signer, digest])?;
        openssl::pem(vm, &made)
    }

    /// Adds the extensions: those of the resource, then those of every certificate.
    fn extend(&self, vm: &mut Vm, made: &Value, issuer: Option<&Value>) -> Res<()> {
        let factory = openssl::new(vm, "X509::ExtensionFactory", &[])?;
        openssl::set(vm, &factory, "issuer_certificate=", issuer.unwrap_or(made).clone())?;
        openssl::set(vm, &factory, "subject_certificate=", made.clone())?;
        let mut wanted = self.extensions.clone();
        if issuer.is_none() {
            wanted.push(("basicConstraints".into(), "CA:TRUE".into(), true));
        }
        wanted.push(("subjectKeyIdentifier".into(), "hash".into(), false));
        wanted.push(("authorityKeyIdentifier".into(), "keyid:always,issuer:always".into(), false));
        for (name, value, critical) in wanted {
            let args = [Value::str(name), Value::str(value), Value::bool(critical)];
            let extension = vm.call_name(&factory, "create_extension", &args)?;
            vm.call_name(made, "add_extension", &[extension])?;
        }
        Ok(())
    }
}

impl Composite for OpensslX509Certificate {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let path = text(vm, resource, "path")?;
        let (expire, renew) = (get(vm, resource, "expire")?, get(vm, resource, "renew_before_expiry")?);
        Ok(Desired {
            identity: Identity::read(vm, resource, &path)?,
            owned: Owned::read(vm, resource)?,
            expire: vm.to_int(&expire)?,
            renew_before: if renew.is_nil() { None } else { Some(vm.to_int(&renew)?) },
            extensions: extensions(vm, resource)?,
            csr_file: text_opt(vm, resource, "csr_file")?,
            ca_cert_file: text_opt(vm, resource, "ca_cert_file")?,
            ca_key_file: text_opt(vm, resource, "ca_key_file")?,
            ca_key_pass: text_opt(vm, resource, "ca_key_pass")?,
            path,
        })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let Desired { path, identity, owned, .. } = desired;
        let host = children.host();
        let is_there = compose::exists(&*host, path.as_bytes());
        let key_is_there = compose::exists(&*host, identity.key_file.as_bytes());
        let is_ending = match desired.renew_before.filter(|_| is_there) {
            Some(days) => desired.is_ending(children.vm(), days)?,
            None => false,
        };
        // nothing is generated if all files exist, nor in a why-run if they are new
        let is_new = !is_there && children.applies();
        let needs_key = is_new || is_ending || !key_is_there && desired.csr_file.is_none() && children.applies();
        let key = if needs_key { identity.key(children.vm())? } else { Value::Nil };
        let mut content = None;
        if is_new || is_ending {
            content = Some(desired.certificate(children.vm(), &key)?);
        }
        let first = if is_there { None } else { content.as_deref() };
        children.declare(owned.file(path, first).action("create_if_missing"))?;
        if is_ending {
            let file = owned.file(path, content.as_deref()).flag("sensitive", true);
            children.declare(file.action("create"))?;
        }
        if desired.csr_file.is_none() {
            let content = if key.is_nil() { None } else { Some(openssl::pem(children.vm(), &key)?) };
            let file = owned.file(&identity.key_file, content.as_deref()).flag("sensitive", true);
            children.declare(file.action("create_if_missing"))?;
        }
        Ok(())
    }
}
