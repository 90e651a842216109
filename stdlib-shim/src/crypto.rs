//! `openssl`: the ciphers and PBKDF2; keys, certificates and the rest are `ruby/openssl*.rb`.

use aes::cipher::generic_array::GenericArray;
use aes::cipher::{BlockDecrypt, BlockEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256};
use aes_gcm::AesGcm;
use aes_gcm::aead::consts::U12;
use aes_gcm::aead::{Aead, Payload};
use hmac::{Hmac, Mac};
use md5::Md5;
use rchef_ruby::{Args, ClassId, MethodDef, RString, Res, Value, Vm, def};
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

static NATIVE: &[MethodDef] = &[
    def("ecb", ecb, 3),
    def("cbc", cbc, 4),
    def("ctr", ctr, 4),
    def("gcm", gcm, 4),
    def("scrypt_mix", crate::scrypt::mix, 3),
    def("pbkdf2", pbkdf2, 5),
    def("hmac", hmac_once, 3),
];

/// Defines OpenSSL::Native, which the Ruby part stands on.
pub(crate) fn init(vm: &mut Vm) -> Res<()> {
    let module = vm.define_module(ClassId::OBJECT, "OpenSSL");
    let native = vm.define_module(module, "Native");
    vm.define_module_functions(native, NATIVE);
    crate::digest::init_openssl(vm);
    Ok(())
}

/// AES by the length of its key.
enum Aes {
    A128(Aes128),
    A192(Aes192),
    A256(Aes256),
}
impl Aes {
    fn new(key: &[u8]) -> Option<Aes> {
        match key.len() {
            16 => Aes128::new_from_slice(key).ok().map(Aes::A128),
            24 => Aes192::new_from_slice(key).ok().map(Aes::A192),
            32 => Aes256::new_from_slice(key).ok().map(Aes::A256),
            _ => None,
        }
    }
    fn encrypt(&self, block: &mut [u8]) {
        let block = GenericArray::from_mut_slice(block);
        match self {
            Aes::A128(aes) => aes.encrypt_block(block),
            Aes::A192(aes) => aes.encrypt_block(block),
            Aes::A256(aes) => aes.encrypt_block(block),
        }
    }
    fn decrypt(&self, block: &mut [u8]) {
        let block = GenericArray::from_mut_slice(block);
        match self {
            Aes::A128(aes) => aes.decrypt_block(block),
            Aes::A192(aes) => aes.decrypt_block(block),
            Aes::A256(aes) => aes.decrypt_block(block),
        }
    }
}

fn bytes(vm: &mut Vm, value: &Value) -> Res<Vec<u8>> {
    Ok(vm.to_str(value)?.get(vm).bytes().to_vec())
}
fn binary(bytes: Vec<u8>) -> Value {
    Value::string(RString::binary(bytes))
}
fn cipher(vm: &mut Vm, key: &Value) -> Res<Aes> {
    let key = bytes(vm, key)?;
    Aes::new(&key).ok_or_else(|| vm.argument_error("key must be 16, 24 or 32 bytes"))
}
fn array16(vm: &mut Vm, value: &Value) -> Res<[u8; 16]> {
    bytes(vm, value)?.try_into().map_err(|_| vm.argument_error("iv must be 16 bytes"))
}
fn xor(to: &mut [u8], with: &[u8]) {
    for (byte, other) in to.iter_mut().zip(with) {
        *byte ^= other;
    }
}

/// `(key, whole blocks, encrypt)`
fn ecb(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let aes = cipher(vm, args.at(0))?;
    let mut data = bytes(vm, args.at(1))?;
    for block in data.chunks_exact_mut(16) {
        if args.at(2).truthy() { aes.encrypt(block) } else { aes.decrypt(block) }
    }
    Ok(binary(data))
}
/// `(key, iv, whole blocks, encrypt)`: the result and the next iv.
fn cbc(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let aes = cipher(vm, args.at(0))?;
    let mut iv = array16(vm, args.at(1))?;
    let mut data = bytes(vm, args.at(2))?;
    for block in data.chunks_exact_mut(16) {
        if args.at(3).truthy() {
            xor(block, &iv);
            aes.encrypt(block);
            iv.copy_from_slice(block);
        } else {
            let mut next = [0; 16];
            next.copy_from_slice(block);
            aes.decrypt(block);
            xor(block, &iv);
            iv = next;
        }
    }
    Ok(Value::array(vec![binary(data), binary(iv.to_vec())]))
}
/// `(key, first counter block, bytes done so far, data)`
fn ctr(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let aes = cipher(vm, args.at(0))?;
    let start = u128::from_be_bytes(array16(vm, args.at(1))?);
    let done = vm.to_int(args.at(2))?;
    let done = u64::try_from(done).map_err(|_| vm.argument_error("negative position"))?;
    let mut data = bytes(vm, args.at(3))?;
    let mut pad = [0; 16];
    for (index, byte) in data.iter_mut().enumerate() {
        let position = done + index as u64;
        if index == 0 || position.is_multiple_of(16) {
            pad = start.wrapping_add(u128::from(position / 16)).to_be_bytes();
            aes.encrypt(&mut pad);
        }
        *byte ^= pad[(position % 16) as usize];
    }
    Ok(binary(data))
}
/// `(key, 12 bytes of nonce, additional data, plain text)`: cipher text and tag.
fn gcm(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let key = bytes(vm, args.at(0))?;
    let nonce: [u8; 12] =
        bytes(vm, args.at(1))?.try_into().map_err(|_| vm.argument_error("only nonces of 12 bytes are supported"))?;
    let (aad, msg) = (bytes(vm, args.at(2))?, bytes(vm, args.at(3))?);
    let payload = Payload { msg: &msg, aad: &aad };
    let nonce = GenericArray::from_slice(&nonce);
    let sealed = match key.len() {
        16 => AesGcm::<Aes128, U12>::new_from_slice(&key).ok().and_then(|aes| aes.encrypt(nonce, payload).ok()),
        24 => AesGcm::<Aes192, U12>::new_from_slice(&key).ok().and_then(|aes| aes.encrypt(nonce, payload).ok()),
        32 => AesGcm::<Aes256, U12>::new_from_slice(&key).ok().and_then(|aes| aes.encrypt(nonce, payload).ok()),
        _ => None,
    };
    let Some(mut sealed) = sealed else { return Err(vm.argument_error("key must be 16, 24 or 32 bytes")) };
    let tag = sealed.split_off(sealed.len() - 16);
    Ok(Value::array(vec![binary(sealed), binary(tag)]))
}

/// HMAC of the parts; None where the digest is unknown.
fn hmac_of(digest: &str, key: &[u8], parts: &[&[u8]]) -> Option<Vec<u8>> {
    macro_rules! with {
        ($hash:ty) => {{
            let mut mac = <Hmac<$hash> as hmac::KeyInit>::new_from_slice(key).ok()?;
            for part in parts {
                mac.update(part);
            }
            Some(mac.finalize().into_bytes().to_vec())
        }};
    }
    match digest {
        "MD5" => with!(Md5),
        "SHA1" => with!(Sha1),
        "SHA224" => with!(Sha224),
        "SHA256" => with!(Sha256),
        "SHA384" => with!(Sha384),
        "SHA512" => with!(Sha512),
        "SHA512-224" => with!(Sha512_224),
        "SHA512-256" => with!(Sha512_256),
        "RIPEMD160" => with!(Ripemd160),
        _ => None,
    }
}
fn unknown(vm: &mut Vm, digest: &str) -> rchef_ruby::Error {
    vm.runtime_error(format!("Unsupported digest algorithm ({digest}).: unknown object name"))
}
/// `(digest's name, key, data)`
fn hmac_once(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let digest = vm.to_text(args.at(0))?;
    let (key, data) = (bytes(vm, args.at(1))?, bytes(vm, args.at(2))?);
    match hmac_of(&digest, &key, &[&data]) {
        Some(mac) => Ok(binary(mac)),
        None => Err(unknown(vm, &digest)),
    }
}
/// `(password, salt, iterations, length, digest's name)`
fn pbkdf2(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (password, salt) = (bytes(vm, args.at(0))?, bytes(vm, args.at(1))?);
    let (iterations, length) = (vm.to_int(args.at(2))?, vm.to_int(args.at(3))?);
    let digest = vm.to_text(args.at(4))?;
    let length = usize::try_from(length).map_err(|_| vm.argument_error("negative string size (or size too big)"))?;
    vm.check_size(length)?;
    let mut out = Vec::with_capacity(length);
    let mut index: u32 = 1;
    while out.len() < length {
        let Some(mut round) = hmac_of(&digest, &password, &[&salt, &index.to_be_bytes()]) else {
            return Err(unknown(vm, &digest));
        };
        let mut block = round.clone();
        for _ in 1..iterations {
            round = hmac_of(&digest, &password, &[&round]).unwrap_or_default();
            xor(&mut block, &round);
        }
        out.extend(block);
        index += 1;
    }
    out.truncate(length);
    Ok(binary(out))
}
