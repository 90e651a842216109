use super::{binary, bytes, digest, ffi};
use openssl::error::ErrorStack;
use openssl::hash::MessageDigest;
use openssl::md::{Md, MdRef};
use openssl::md_ctx::MdCtx;
use openssl::pkey::PKey;
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Value, Vm, def};

static METHODS: &[MethodDef] = &[
    def("initialize", initialize, 2).private(),
    def("update", update, 1),
    def("<<", update, 1),
    def("digest", finish, 0),
    def("reset", reset, 0),
];
static SINGLETON: &[MethodDef] = &[def("digest", once, 3)];

/// An HMAC in progress, and its initial state with the key, to which `reset` returns.
struct Running {
    start: MdCtx,
    now: MdCtx,
}
impl NativeData for Running {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        let start = ffi::copy_md_ctx(&self.start).ok()?;
        Some(Box::new(Running { start, now: ffi::copy_md_ctx(&self.now).ok()? }))
    }
}

/// Defines OpenSSL::HMAC.
pub(super) fn init(vm: &mut Vm, module: ClassId, error: ClassId) {
    vm.define_class(module, "HMACError", error);
    let class = vm.define_class(module, "HMAC", ClassId::OBJECT);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(class, METHODS);
    vm.define_singleton_methods(class, SINGLETON);
}

fn md(digest: MessageDigest) -> Result<&'static MdRef, ErrorStack> {
    Md::from_nid(digest.type_()).ok_or_else(ErrorStack::get)
}
fn started(key: &[u8], digest: MessageDigest) -> Result<MdCtx, ErrorStack> {
    // libcrypto makes no key of no bytes; HMAC fills up with zeros, so one zero is the same key
    let key = PKey::hmac(if key.is_empty() { &[0] } else { key })?;
    let mut context = MdCtx::new()?;
    context.digest_sign_init(Some(md(digest)?), &key)?;
    Ok(context)
}
/// The HMAC of data.
pub(crate) fn mac(key: &[u8], digest: MessageDigest, data: &[u8]) -> Result<Vec<u8>, ErrorStack> {
    let mut context = started(key, digest)?;
    context.digest_sign_update(data)?;
    let mut out = Vec::new();
    context.digest_sign_final_to_vec(&mut out)?;
    Ok(out)
}

fn failed(vm: &mut Vm, stack: &ErrorStack) -> rchef_ruby::Error {
    super::failure(vm, "HMACError", "HMAC", stack)
}
fn running<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut Running> {
    if vm.data::<Running>(this).is_none() {
        return Err(vm.runtime_error("HMAC is not initialized"));
    }
    match vm.data_mut::<Running>(this) {
        Some(found) => Ok(found),
        None => Err(rchef_ruby::Unwind::Abandon.into()),
    }
}

/// `(key, digest)`
fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (key, digest) = (bytes(vm, args.at(0))?, digest(vm, args.at(1))?);
    let made = started(&key, digest).and_then(|start| {
        let now = ffi::copy_md_ctx(&start)?;
        Ok(Running { start, now })
    });
    match made {
        Ok(running) => vm.set_data(this, running),
        Err(stack) => return Err(failed(vm, &stack)),
    }
    Ok(this.clone())
}
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = bytes(vm, args.at(0))?;
    running(vm, this)?.now.digest_sign_update(&data).map_err(|stack| failed(vm, &stack))?;
    Ok(this.clone())
}
fn finish(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut out = Vec::new();
    let context = ffi::copy_md_ctx(&running(vm, this)?.now);
    context.and_then(|mut now| now.digest_sign_final_to_vec(&mut out)).map_err(|stack| failed(vm, &stack))?;
    Ok(binary(out))
}
fn reset(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let running = running(vm, this)?;
    match ffi::copy_md_ctx(&running.start) {
        Ok(now) => running.now = now,
        Err(stack) => return Err(failed(vm, &stack)),
    }
    Ok(this.clone())
}
/// `digest(digest, key, data)`
fn once(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let digest = digest(vm, args.at(0))?;
    let (key, data) = (bytes(vm, args.at(1))?, bytes(vm, args.at(2))?);
    mac(&key, digest, &data).map(binary).map_err(|stack| failed(vm, &stack))
}
