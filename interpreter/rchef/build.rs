//! Links the binary at a fixed address on Linux with glibc.
//!
//! The library of OpenSSL and the tables of natives hold some ten thousand addresses, which a binary that can lie anywhere has to correct in memory
//! at each start: more than half of what `rchef --version` takes. Stack, heap and shared libraries still lie at random addresses.
#![allow(clippy::disallowed_methods, clippy::print_stdout)] // it runs while rchef is built, and speaks to cargo

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    if set("CARGO_CFG_TARGET_OS") == "linux" && set("CARGO_CFG_TARGET_ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
