//! How the linker lays out the binary on Linux with glibc.
//!
//! The library of OpenSSL and the tables of natives hold some ten thousand addresses, which a binary that can lie anywhere has to correct in memory
//! at each start: more than half of what `rchef --version` takes. So it is linked at a fixed address. Stack, heap and shared libraries still lie at
//! random addresses.
//!
//! In optimized builds the functions of `layout.ld` lie side by side, so that fewer pages of the binary are in memory, and functions with the same
//! code are one (a hundredth of the binary): no code may tell functions apart by their addresses, as Rust never promises that it could.
#![allow(clippy::disallowed_methods, clippy::print_stdout)] // it runs while rchef is built, and speaks to cargo

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=layout.ld");
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    if set("CARGO_CFG_TARGET_OS") != "linux" || set("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-no-pie");
    let flags = set("CARGO_ENCODED_RUSTFLAGS");
    if set("PROFILE") == "release" && links_with_lld(&set("RUSTC"), &set("TARGET"), &flags) {
        println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
    }
    // mold and wild know no linker scripts of this kind
    if set("PROFILE") == "release" && !flags.contains("mold") && !flags.contains("wild") {
        println!("cargo:rustc-link-arg-bins=-Wl,-T,{}/layout.ld", set("CARGO_MANIFEST_DIR"));
    }
}

/// Whether rustc links with the LLD that comes with it: its default on this target since 1.90, unless flags name another or a distribution's rustc
/// has none.
fn links_with_lld(rustc: &str, target: &str, flags: &str) -> bool {
    if target != "x86_64-unknown-linux-gnu" || ["linker", "fuse-ld"].iter().any(|other| flags.contains(other)) {
        return false;
    }
    let sysroot = std::process::Command::new(rustc).args(["--print", "sysroot"]).output();
    let sysroot = sysroot.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default();
    std::path::Path::new(&sysroot).join(format!("lib/rustlib/{target}/bin/gcc-ld/ld.lld")).exists()
}
