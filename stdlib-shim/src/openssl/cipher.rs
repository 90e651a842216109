use super::{binary, bytes, digest, error, failure, ffi, length};
use openssl::cipher::{Cipher, CipherRef};
use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use openssl::hash::{Hasher, MessageDigest};
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, RString, Res, Value, Vm, def, opt};
use std::rc::Rc;

static METHODS: &[MethodDef] = &[
    def("initialize", initialize, 1).private(),
    opt("encrypt", encrypt, 0, 2),
    opt("decrypt", decrypt, 0, 2),
    def("name", name, 0),
    def("key_len", key_len, 0),
    def("key_len=", set_key_len, 1),
    def("iv_len", iv_len, 0),
    def("iv_len=", set_iv_len, 1),
    def("block_size", block_size, 0),
    def("authenticated?", authenticated, 0),
    def("key=", set_key, 1),
    def("iv=", set_iv, 1),
    def("padding=", set_padding, 1),
    def("auth_data=", set_auth_data, 1),
    opt("auth_tag", auth_tag, 0, 1),
    def("auth_tag=", set_auth_tag, 1),
    def("auth_tag_len=", set_auth_tag_len, 1),
    def("ccm_data_len=", set_ccm_data_len, 1),
    opt("pkcs5_keyivgen", pkcs5_keyivgen, 1, 4),
    def("reset", reset, 0),
    opt("update", update, 1, 2),
    def("final", finish, 0),
];
static SINGLETON: &[MethodDef] = &[def("ciphers", ciphers, 0)];

const ERROR: &str = "Cipher::CipherError";
/// Maximum length of a tag in bytes.
const TAG: usize = 16;

/// An encryption or decryption in progress.
pub(crate) struct State {
    cipher: Rc<Cipher>,
    context: CipherCtx,
    encrypt: bool,
    has_key: bool,
    authenticated: bool,
    padding: bool,
}
impl NativeData for State {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        let mut context = CipherCtx::new().ok()?;
        context.copy(&self.context).ok()?;
        Some(Box::new(State { cipher: self.cipher.clone(), context, ..*self }))
    }
}

/// The cipher with a name; loads the legacy provider if necessary.
pub(crate) fn named(name: &str) -> Option<Cipher> {
    ffi::initialize();
    Cipher::fetch(None, name, None).ok().or_else(|| {
        ffi::load_legacy();
        Cipher::fetch(None, name, None).ok()
    })
}

impl State {
    /// Starts with decryption as the direction.
    pub(crate) fn new(cipher: Cipher) -> Result<State, ErrorStack> {
        let mut context = CipherCtx::new()?;
        context.decrypt_init(Some(&cipher), None, None)?;
        let authenticated = ffi::is_authenticated(&cipher);
        Ok(State { cipher: Rc::new(cipher), context, encrypt: false, has_key: false, authenticated, padding: true })
    }
    /// Sets key and IV, or restarts with the previous ones.
    pub(crate) fn start(&mut self, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), ErrorStack> {
        self.has_key |= key.is_some();
        if self.encrypt {
            self.context.encrypt_init(None::<&CipherRef>, key, iv)?;
        } else {
            self.context.decrypt_init(None::<&CipherRef>, key, iv)?;
        }
        self.context.set_padding(self.padding);
        Ok(())
    }
    pub(crate) fn direct(&mut self, encrypt: bool) -> Result<(), ErrorStack> {
        self.encrypt = encrypt;
        self.start(None, None)
    }
    pub(crate) fn set_iv_length(&mut self, length: usize) -> Result<(), ErrorStack> {
        self.context.set_iv_length(length)
    }
    pub(crate) fn add_auth_data(&mut self, data: &[u8]) -> Result<(), ErrorStack> {
        self.context.cipher_update(data, None).map(|_| ())
    }
    pub(crate) fn set_tag(&mut self, tag: &[u8]) -> Result<(), ErrorStack> {
        self.context.set_tag(tag)
    }
    pub(crate) fn tag(&self, length: usize) -> Result<Vec<u8>, ErrorStack> {
        let mut tag = vec![0; length];
        self.context.tag(&mut tag)?;
        Ok(tag)
    }
    pub(crate) fn update(&mut self, data: &[u8]) -> Result<Vec<u8>, ErrorStack> {
        let mut out = Vec::new();
        self.context.cipher_update_vec(data, &mut out)?;
        Ok(out)
    }
    pub(crate) fn finish(&mut self) -> Result<Vec<u8>, ErrorStack> {
        let mut out = Vec::new();
        self.context.cipher_final_vec(&mut out)?;
        Ok(out)
    }
}

/// Defines OpenSSL::Cipher.
pub(super) fn init(vm: &mut Vm, module: ClassId, error: ClassId) {
    let class = vm.define_class(module, "Cipher", ClassId::OBJECT);
    vm.define_class(class, "CipherError", error);
    vm.class_mut(class).allocator = Some(|_, class| Ok(Value::object(class)));
    vm.define_methods(class, METHODS);
    vm.define_singleton_methods(class, SINGLETON);
}

fn ciphers(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::array(ffi::cipher_names().into_iter().map(Value::str).collect()))
}
fn state<'a>(vm: &'a mut Vm, this: &'a Value) -> Res<&'a mut State> {
    if vm.data::<State>(this).is_none() {
        return Err(vm.runtime_error("Cipher not initialized!"));
    }
    match vm.data_mut::<State>(this) {
        Some(state) => Ok(state),
        None => Err(rchef_ruby::Unwind::Abandon.into()),
    }
}
/// The exception for a failed operation.
fn failed(vm: &mut Vm, what: &str, stack: &ErrorStack) -> rchef_ruby::Error {
    failure(vm, ERROR, what, stack)
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_text(args.at(0))?;
    let Some(cipher) = named(&name) else {
        return Err(vm.runtime_error(format!("unsupported cipher algorithm ({name})")));
    };
    let state = State::new(cipher).map_err(|stack| failed(vm, "", &stack))?;
    vm.set_data(this, state);
    Ok(this.clone())
}
fn direct(vm: &mut Vm, this: &Value, encrypt: bool) -> Res {
    state(vm, this)?.direct(encrypt).map_err(|stack| failed(vm, "", &stack))?;
    Ok(this.clone())
}
fn encrypt(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    direct(vm, this, true)
}
fn decrypt(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    direct(vm, this, false)
}
fn reset(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    state(vm, this)?.start(None, None).map_err(|stack| failed(vm, "", &stack))?;
    Ok(this.clone())
}
fn name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let name = state(vm, this)?.cipher.nid().short_name().unwrap_or_default();
    // libcrypto's names are those of the object identifiers (id-aes256-GCM); Ruby shows the common form
    let shown = match name.strip_prefix("id-aes").and_then(|rest| rest.split_once('-')) {
        Some((bits, mode)) if matches!(mode, "GCM" | "CCM") => format!("AES-{bits}-{mode}"),
        _ => name.to_string(),
    };
    Ok(Value::str(shown))
}
fn key_len(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.context.key_length()))
}
fn iv_len(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.context.iv_length()))
}
fn block_size(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::len(state(vm, this)?.cipher.block_size()))
}
fn authenticated(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(state(vm, this)?.authenticated))
}
fn set_key_len(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let length = length(vm, args.at(0))?;
    let state = state(vm, this)?;
    let set = if length == state.context.key_length() { Ok(()) } else { state.context.set_key_length(length) };
    set.map_err(|_| error(vm, ERROR, "invalid key length"))?;
    Ok(args.at(0).clone())
}
fn set_iv_len(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let length = length(vm, args.at(0))?;
    authenticated_only(vm, this, "cipher does not support AEAD")?;
    if length == 0 {
        return Err(error(vm, ERROR, "invalid IV length"));
    }
    state(vm, this)?.set_iv_length(length).map_err(|stack| failed(vm, "", &stack))?;
    Ok(args.at(0).clone())
}
fn set_key(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let key = bytes(vm, args.at(0))?;
    let state = state(vm, this)?;
    let wanted = state.context.key_length();
    if key.len() != wanted {
        return Err(vm.argument_error(format!("key must be {wanted} bytes")));
    }
    state.start(Some(&key), None).map_err(|stack| failed(vm, "", &stack))?;
    Ok(args.at(0).clone())
}
fn set_iv(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let iv = bytes(vm, args.at(0))?;
    let state = state(vm, this)?;
    let wanted = state.context.iv_length();
    if iv.len() != wanted {
        return Err(vm.argument_error(format!("iv must be {wanted} bytes")));
    }
    state.start(None, Some(&iv)).map_err(|stack| failed(vm, "", &stack))?;
    Ok(args.at(0).clone())
}
fn set_padding(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let padding = vm.to_int(args.at(0))? != 0;
    let state = state(vm, this)?;
    state.padding = padding;
    state.context.set_padding(padding);
    Ok(args.at(0).clone())
}

fn authenticated_only(vm: &mut Vm, this: &Value, otherwise: &str) -> Res<()> {
    if state(vm, this)?.authenticated { Ok(()) } else { Err(error(vm, ERROR, otherwise)) }
}
fn set_auth_data(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = bytes(vm, args.at(0))?;
    authenticated_only(vm, this, "AEAD not supported by this cipher")?;
    if !state(vm, this)?.has_key {
        return Err(error(vm, ERROR, "couldn't set additional authenticated data: cipher operation failed"));
    }
    let outcome = state(vm, this)?.add_auth_data(&data);
    outcome.map_err(|stack| failed(vm, "couldn't set additional authenticated data", &stack))?;
    Ok(args.at(0).clone())
}
fn auth_tag(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let length = if args.is_empty() { TAG } else { length(vm, args.at(0))? };
    authenticated_only(vm, this, "authentication tag not supported by this cipher")?;
    let tag = state(vm, this)?.tag(length);
    tag.map(binary).map_err(|stack| failed(vm, "retrieving the authentication tag failed", &stack))
}
/// Sets the tag. An empty one would authenticate nothing and is rejected.
fn set_auth_tag(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let tag = bytes(vm, args.at(0))?;
    authenticated_only(vm, this, "authentication tag not supported by this cipher")?;
    if tag.is_empty() {
        return Err(error(vm, ERROR, "unable to set AEAD tag: invalid tag"));
    }
    let set = state(vm, this)?.set_tag(&tag);
    set.map_err(|stack| failed(vm, "unable to set AEAD tag", &stack))?;
    Ok(args.at(0).clone())
}
fn set_auth_tag_len(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let length = length(vm, args.at(0))?;
    authenticated_only(vm, this, "AEAD not supported by this cipher")?;
    let set = state(vm, this)?.context.set_tag_length(length);
    set.map_err(|stack| failed(vm, "unable to set authentication tag length", &stack))?;
    Ok(args.at(0).clone())
}
fn set_ccm_data_len(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let length = length(vm, args.at(0))?;
    let set = state(vm, this)?.context.set_data_len(length);
    set.map_err(|stack| failed(vm, "", &stack))?;
    Ok(args.at(0).clone())
}

/// `EVP_BytesToKey`: repeatedly hashes password and salt until there are enough bytes for key and IV.
pub(crate) fn bytes_to_key(
    digest: MessageDigest,
    password: &[u8],
    salt: &[u8],
    iterations: usize,
    length: usize,
) -> Result<Vec<u8>, ErrorStack> {
    let (mut out, mut last) = (Vec::with_capacity(length), Vec::new());
    while out.len() < length {
        let mut hasher = Hasher::new(digest)?;
        for part in [last.as_slice(), password, salt] {
            hasher.update(part)?;
        }
        last = hasher.finish()?.to_vec();
        for _ in 1..iterations {
            hasher.update(&last)?;
            last = hasher.finish()?.to_vec();
        }
        out.extend_from_slice(&last);
    }
    out.truncate(length);
    Ok(out)
}
/// `pkcs5_keyivgen(password, salt = nil, iterations = 2048, digest = "md5")`
fn pkcs5_keyivgen(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let password = bytes(vm, args.at(0))?;
    let salt = if args.at(1).is_nil() { Vec::new() } else { bytes(vm, args.at(1))? };
    if !args.at(1).is_nil() && salt.len() != 8 {
        return Err(error(vm, ERROR, "salt must be an 8-octet string"));
    }
    let iterations = if args.at(2).is_nil() { 2048 } else { vm.to_c_int(args.at(2))? };
    let Some(iterations) = usize::try_from(iterations).ok().filter(|count| *count > 0) else {
        return Err(vm.argument_error("iterations must be a positive integer"));
    };
    let digest = if args.at(3).is_nil() { MessageDigest::md5() } else { digest(vm, args.at(3))? };
    let state = state(vm, this)?;
    let (key, iv) = (state.cipher.key_length(), state.cipher.iv_length());
    let made = bytes_to_key(digest, &password, &salt, iterations, key + iv)
        .and_then(|made| state.start(Some(&made[..key]), (iv > 0).then_some(&made[key..])));
    made.map_err(|stack| failed(vm, "", &stack))?;
    Ok(Value::Nil)
}

/// `update(data, buffer = nil)`
fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let data = bytes(vm, args.at(0))?;
    vm.check_size(data.len().saturating_add(64))?;
    if !state(vm, this)?.has_key {
        return Err(error(vm, ERROR, "key not set"));
    }
    if data.is_empty() {
        return Err(vm.argument_error("data must not be empty"));
    }
    let made = state(vm, this)?.update(&data).map_err(|stack| failed(vm, "", &stack))?;
    let Some(buffer) = args.get(1).filter(|buffer| !buffer.is_nil()) else { return Ok(binary(made)) };
    vm.call_name(buffer, "replace", &[Value::string(RString::binary(made))])?;
    Ok(buffer.clone())
}
fn finish(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if !state(vm, this)?.has_key {
        return Err(error(vm, ERROR, "no key set"));
    }
    let made = state(vm, this)?.finish();
    made.map(binary).map_err(|stack| failed(vm, "", &stack))
}
