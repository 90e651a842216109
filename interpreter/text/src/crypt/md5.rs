//! The hash `$1$`, as Poul-Henning Kamp made it for FreeBSD.

/// The hash with its setting, given what follows `$1$`.
pub(super) fn crypt(password: &[u8], rest: &[u8]) -> Vec<u8> {
    md5crypt::md5crypt(password, super::salt(rest, 8))
}
