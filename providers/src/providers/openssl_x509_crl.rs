//! `openssl_x509_crl`: a certificate revocation list (CRL).

use super::openssl::{self, Owned};
use super::support::*;
use rchef_host::compose;
use rchef_recipe::provider::composite::{Children, Composite};
use rchef_ruby::{ClassId, Res, Value, Vm};

pub(crate) struct OpensslX509Crl;

/// OID of the extension with the reason for a revocation.
const CRL_REASON: &str = "2.5.29.21";

/// What an `openssl_x509_crl` resource asks for.
pub(crate) struct Desired {
    path: String,
    /// Serial number of the certificate to revoke, as a number and as given.
    serial: Option<(Value, String)>,
    reason: Value,
    /// Days until the list expires.
    expire: i64,
    /// Days before the expiry date at which it is signed anew.
    threshold: i64,
    ca_cert_file: String,
    ca_key_file: String,
    ca_key_pass: Option<String>,
    owned: Owned,
}

impl Desired {
    /// The list in the file; None if there is no valid one.
    fn found(&self, vm: &mut Vm) -> Res<Option<Value>> {
        let host = vm.host.clone();
        let Ok(content) = compose::read_file(&*host, self.path.as_bytes()) else { return Ok(None) };
        let class = openssl::class(vm, "X509::CRL")?;
        vm.rescue(
            ClassId::STANDARD_ERROR,
            |vm| vm.call_name(&class, "new", &[Value::bytes(content.as_slice())]).map(Some),
            |_, _| Ok(None),
        )
    }

    fn is_revoked(&self, vm: &mut Vm, list: &Value, serial: &Value) -> Res<bool> {
        let revoked = vm.call_name(list, "revoked", &[])?;
        for entry in vm.to_array(&revoked)? {
            let known = vm.call_name(&entry, "serial", &[])?;
            if vm.call_name(&known, "==", std::slice::from_ref(serial))?.truthy() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn revoke(&self, vm: &mut Vm, list: &Value, serial: Value) -> Res<()> {
        let entry = openssl::new(vm, "X509::Revoked", &[])?;
        openssl::set(vm, &entry, "serial=", serial)?;
        let now = openssl::in_days(vm, 0)?;
        openssl::set(vm, &entry, "time=", now)?;
        let encoding = openssl::class(vm, "ASN1")?;
        let reason = vm.call_name(&encoding, "Enumerated", std::slice::from_ref(&self.reason))?;
        let extension = openssl::new(vm, "X509::Extension", &[Value::str(CRL_REASON), reason])?;
        vm.call_name(&entry, "add_extension", &[extension])?;
        vm.call_name(list, "add_revoked", &[entry]).map(drop)
    }

    /// The next CRL number.
    fn next_number(&self, vm: &mut Vm, list: &Value) -> Res<i64> {
        let mut number = 0;
        let extensions = vm.call_name(list, "extensions", &[])?;
        for extension in vm.to_array(&extensions)? {
            let name = vm.call_name(&extension, "oid", &[])?;
            if vm.to_s_text(&name)? == "crlNumber" {
                let value = vm.call_name(&extension, "value", &[])?;
                let value = vm.to_s_text(&value)?;
                // the library writes large numbers in hexadecimal
                number = match value.strip_prefix("0x") {
                    Some(digits) => i64::from_str_radix(digits, 16).unwrap_or(0),
                    None => value.parse().unwrap_or(0),
                };
            }
        }
        Ok(number.saturating_add(1))
    }

    /// Sets the times and the number of the list, and signs it.
    fn sign(&self, vm: &mut Vm, list: &Value) -> Res<()> {
        let content = openssl::file(vm, &self.ca_cert_file)?;
        let issuer = openssl::new(vm, "X509::Certificate", &[content])?;
        let Some(key) = openssl::private_key(vm, &self.ca_key_file, self.ca_key_pass.as_deref())? else {
            return Err(
                vm.runtime_error(format!("{} is no private key, or its passphrase is another", self.ca_key_file))
            );
        };
        let number = self.next_number(vm, list)?;
        let name = vm.call_name(&issuer, "subject", &[])?;
        let (now, end) = (openssl::in_days(vm, 0)?, openssl::in_days(vm, self.expire)?);
        for (writer, value) in
            [("version=", Value::Int(1)), ("issuer=", name), ("last_update=", now), ("next_update=", end)]
        {
            openssl::set(vm, list, writer, value)?;
        }
        let factory = openssl::new(vm, "X509::ExtensionFactory", &[])?;
        openssl::set(vm, &factory, "issuer_certificate=", issuer)?;
        let encoding = openssl::class(vm, "ASN1")?;
        let number = vm.call_name(&encoding, "Integer", &[Value::Int(number)])?;
        let number = openssl::new(vm, "X509::Extension", &[Value::str("crlNumber"), number])?;
        openssl::set(vm, list, "extensions=", Value::array(vec![number]))?;
        let args = ["authorityKeyIdentifier", "keyid:always,issuer:always"].map(Value::str);
        let extension = vm.call_name(&factory, "create_extension", &args)?;
        vm.call_name(list, "add_extension", &[extension])?;
        let digest = openssl::digest(vm)?;
        vm.call_name(list, "sign", &[key, digest]).map(drop)
    }

    /// The new list.
    fn list(&self, children: &mut Children<'_>) -> Res<Vec<u8>> {
        let Desired { path, ca_cert_file, .. } = self;
        let list = match self.found(children.vm())? {
            Some(list) => list,
            None => {
                openssl::say(children, format!("Creating a CRL {path} for CA {ca_cert_file}"))?;
                let vm = children.vm();
                let list = openssl::new(vm, "X509::CRL", &[])?;
                self.sign(vm, &list)?;
                list
            }
        };
        let unknown = match &self.serial {
            Some((serial, shown)) if !self.is_revoked(children.vm(), &list, serial)? => Some((serial.clone(), shown)),
            _ => None,
        };
        if let Some((serial, shown)) = unknown {
            openssl::say(children, format!("Revoking serial {shown} in CRL {path}"))?;
            self.revoke(children.vm(), &list, serial)?;
            self.sign(children.vm(), &list)?;
        } else {
            let vm = children.vm();
            let (end, limit) = (vm.call_name(&list, "next_update", &[])?, openssl::in_days(vm, self.threshold)?);
            if vm.call_name(&end, "<=", &[limit])?.truthy() {
                openssl::say(children, format!("Renewing CRL for CA {ca_cert_file}"))?;
                self.sign(children.vm(), &list)?;
            }
        }
        openssl::pem(children.vm(), &list)
    }
}

impl Composite for OpensslX509Crl {
    type Desired = Desired;
    const ACTIONS: &'static [&'static str] = &["create"];

    fn read(vm: &mut Vm, resource: &Value, _: &'static str) -> Res<Desired> {
        let serial = match get(vm, resource, "serial_to_revoke")? {
            Value::Nil => None,
            given => {
                let shown = vm.to_s_text(&given)?;
                // a String is a hexadecimal number
                let is_text = matches!(given, Value::Str(_));
                let number = if is_text { vm.call_name(&given, "to_i", &[Value::Int(16)])? } else { given };
                Some((number, shown))
            }
        };
        let (expire, threshold) = (get(vm, resource, "expire")?, get(vm, resource, "renewal_threshold")?);
        Ok(Desired {
            path: text(vm, resource, "path")?,
            serial,
            reason: get(vm, resource, "revocation_reason")?,
            expire: vm.to_int(&expire)?,
            threshold: vm.to_int(&threshold)?,
            ca_cert_file: text(vm, resource, "ca_cert_file")?,
            ca_key_file: text(vm, resource, "ca_key_file")?,
            ca_key_pass: text_opt(vm, resource, "ca_key_pass")?,
            owned: Owned::read(vm, resource)?,
        })
    }

    fn declare(desired: &Desired, children: &mut Children<'_>) -> Res<()> {
        let content = desired.list(children)?;
        children.declare(desired.owned.file(&desired.path, Some(&content)).action("create")).map(drop)
    }
}
