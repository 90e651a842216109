//! `OpenSSL::KDF` and `OpenSSL::PKCS5`: key derivation from passwords.

use super::{binary, bytes, digest, error, failure, length};
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::md::Md;
use openssl::pkey::Id;
use openssl::pkey_ctx::PkeyCtx;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def};

static KDF: &[MethodDef] = &[any("pbkdf2_hmac", pbkdf2_hmac), any("scrypt", scrypt), any("hkdf", hkdf)];
static PKCS5: &[MethodDef] = &[def("pbkdf2_hmac", pkcs5_pbkdf2, 5), def("pbkdf2_hmac_sha1", pkcs5_sha1, 4)];

/// Maximum memory of one scrypt derivation in bytes: above OpenSSL's default, as needed for the example in Ruby's documentation (N = 2**20, r = 8).
const SCRYPT_MEMORY: u64 = 2 * 1024 * 1024 * 1024;

/// Defines OpenSSL::KDF and OpenSSL::PKCS5.
pub(super) fn init(vm: &mut Vm, module: ClassId, error: ClassId) {
    let kdf = vm.define_module(module, "KDF");
    vm.define_class(kdf, "KDFError", error);
    vm.define_module_functions(kdf, KDF);
    let pkcs5 = vm.define_module(module, "PKCS5");
    vm.define_class(pkcs5, "PKCS5Error", error);
    vm.define_module_functions(pkcs5, PKCS5);
}

/// The positional argument and the required keywords.
fn arguments<const N: usize>(vm: &mut Vm, args: Args<'_>, names: [&'static str; N]) -> Res<(Value, [Value; N])> {
    let symbols = names.map(Symbol::intern_static);
    let (pos, found) = args.take_keywords(vm, symbols)?;
    let [first] = pos else { return Err(vm.arity_error(pos.len(), "1")) };
    let missing: Vec<String> =
        names.iter().zip(&found).filter(|(_, value)| value.is_none()).map(|(name, _)| format!(":{name}")).collect();
    if !missing.is_empty() {
        let plural = if missing.len() > 1 { "s" } else { "" };
        return Err(vm.argument_error(format!("missing keyword{plural}: {}", missing.join(", "))));
    }
    Ok((first.clone(), found.map(Option::unwrap_or_default)))
}

/// PBKDF2 with HMAC
pub(crate) fn pbkdf2(
    password: &[u8],
    salt: &[u8],
    iterations: usize,
    digest: MessageDigest,
    out: &mut [u8],
) -> Result<(), ErrorStack> {
    if out.is_empty() { Ok(()) } else { openssl::pkcs5::pbkdf2_hmac(password, salt, iterations, digest, out) }
}
/// HKDF (RFC 5869)
pub(crate) fn expand(
    key: &[u8],
    salt: &[u8],
    info: &[u8],
    digest: MessageDigest,
    out: &mut [u8],
) -> Result<(), ErrorStack> {
    let md = Md::from_nid(digest.type_()).ok_or_else(ErrorStack::get)?;
    let mut context = PkeyCtx::new_id(Id::HKDF)?;
    context.derive_init()?;
    context.set_hkdf_md(md)?;
    context.set_hkdf_salt(salt)?;
    context.set_hkdf_key(key)?;
    context.add_hkdf_info(info)?;
    context.derive(Some(out)).map(|_| ())
}

fn derive_pbkdf2(vm: &mut Vm, class: &str, [password, salt, iterations, size, hash]: [&Value; 5]) -> Res {
    let (password, salt) = (bytes(vm, password)?, bytes(vm, salt)?);
    let iterations = vm.to_c_int(iterations)?;
    let size = length(vm, size)?;
    let hash = digest(vm, hash)?;
    let mut out = vec![0; size];
    let Some(iterations) = usize::try_from(iterations).ok().filter(|count| *count > 0) else {
        return Err(error(vm, class, "PKCS5_PBKDF2_HMAC: invalid iteration count"));
    };
    match pbkdf2(&password, &salt, iterations, hash, &mut out) {
        Ok(()) => Ok(binary(out)),
        Err(stack) => Err(failure(vm, class, "PKCS5_PBKDF2_HMAC", &stack)),
    }
}
/// `pbkdf2_hmac(password, salt:, iterations:, length:, hash:)`
fn pbkdf2_hmac(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (password, [salt, iterations, size, hash]) = arguments(vm, args, ["salt", "iterations", "length", "hash"])?;
    derive_pbkdf2(vm, "KDF::KDFError", [&password, &salt, &iterations, &size, &hash])
}
/// `pbkdf2_hmac(password, salt, iterations, length, digest)`
fn pkcs5_pbkdf2(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    derive_pbkdf2(vm, "PKCS5::PKCS5Error", [args.at(0), args.at(1), args.at(2), args.at(3), args.at(4)])
}
/// `pbkdf2_hmac_sha1(password, salt, iterations, length)`
fn pkcs5_sha1(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let sha1 = Value::str("SHA1");
    derive_pbkdf2(vm, "PKCS5::PKCS5Error", [args.at(0), args.at(1), args.at(2), args.at(3), &sha1])
}
/// `scrypt(password, salt:, N:, r:, p:, length:)`
fn scrypt(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (password, [salt, cost, block, parallel, size]) = arguments(vm, args, ["salt", "N", "r", "p", "length"])?;
    let (password, salt) = (bytes(vm, &password)?, bytes(vm, &salt)?);
    let numbers = [vm.to_int(&cost)?, vm.to_int(&block)?, vm.to_int(&parallel)?];
    let size = length(vm, &size)?;
    let [Ok(cost), Ok(block), Ok(parallel)] = numbers.map(u64::try_from) else {
        return Err(error(vm, "KDF::KDFError", "EVP_PBE_scrypt"));
    };
    if let Some(memory) = cost.checked_mul(block).and_then(|blocks| blocks.checked_mul(128)) {
        vm.check_size(usize::try_from(memory.min(SCRYPT_MEMORY)).unwrap_or(usize::MAX))?;
    }
    let mut out = vec![0; size];
    match openssl::pkcs5::scrypt(&password, &salt, cost, block, parallel, SCRYPT_MEMORY, &mut out) {
        Ok(()) => Ok(binary(out)),
        Err(_) => Err(error(vm, "KDF::KDFError", "EVP_PBE_scrypt")),
    }
}
/// `hkdf(key, salt:, info:, length:, hash:)`
fn hkdf(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (key, [salt, info, size, hash]) = arguments(vm, args, ["salt", "info", "length", "hash"])?;
    let (key, salt, info) = (bytes(vm, &key)?, bytes(vm, &salt)?, bytes(vm, &info)?);
    let size = length(vm, &size)?;
    let hash = digest(vm, &hash)?;
    let mut out = vec![0; size];
    match expand(&key, &salt, &info, hash, &mut out) {
        Ok(()) => Ok(binary(out)),
        Err(_) => Err(error(vm, "KDF::KDFError", "EVP_PKEY_derive")),
    }
}
