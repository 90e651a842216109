//! The standard library that Ruby code requires, natively or as embedded Ruby.
//!
//! - [`register`]: makes all of it known to `require`; [`autoload_for_chef`]: what Chef has loaded before any cookbook;
//! - [`add_gem_folders`]: where gems of pure Ruby are, beside GEM_PATH; [`register_gems`]: small gems that Chef lacks; [`load_hint`]: what to do when a gem is missing;
//! - `json`, `ffi_yajl`, `digest` (the hash functions), `yaml`, `shellout`, `stringio`, `strscan`, `resolv`, `small`: native; `ruby/`, `bundled/`: embedded;
//! - [`erubis`]: the templates' dialect, also for Chef's own;
//! - `date`, `openssl` (libcrypto), `socket`, `zlib`, `gems`: what the embedded libraries of these names need natively.

mod autoload;
mod bundled;

mod date;
mod digest;
pub mod erubis;
mod ffi_yajl;
mod gems;
mod json;
mod openssl;
mod resolv;
mod ripper;

mod shellout;
mod small;
mod socket;
mod sources;
mod stringio;
mod strscan;
mod yaml;
mod zlib;

pub use autoload::autoload_for_chef;
pub use bundled::load_hint;
pub use digest::prepare as prepare_digests;
pub use gems::{add_gem_folders, declare_gem, offer_declared_gems};
pub use json::plain as parse_json;
pub use small::set_ruby_program;

use rchef_ruby::library::Library;
use rchef_ruby::{Res, Vm};

fn nothing(_: &mut Vm) -> Res<()> {
    Ok(())
}

/// Makes the libraries known to `require`. Nothing is loaded yet; `Gem` loads at its first use, since MRI has it from the start.
pub fn register(vm: &mut Vm) {
    openssl::ffi::initialize();
    for (name, init) in [
        ("stringio", stringio::init as rchef_ruby::library::NativeLibrary),
        ("strscan", strscan::init),
        ("json", json::init),
        ("ffi_yajl", ffi_yajl::init),
        ("digest/native", digest::init),
        ("erubis/native", erubis::init),
        ("date_core", date::init),
        ("openssl/native", openssl::init),
        ("socket/native", socket::init),
        ("rubygems/native", gems::init),
        ("etc/native", small::etc),
        ("ripper/native", ripper::init),
        ("rbconfig/native", small::rbconfig),
        ("zlib/native", zlib::init),
        ("weakref/native", small::weakref),
        ("did_you_mean/native", small::did_you_mean),
        ("io/console/native", small::console),
        ("base64", small::base64),
        ("securerandom/native", small::securerandom),
        ("mixlib/shellout", shellout::init),
        ("psych", yaml::init),
        ("resolv", resolv::init),
    ] {
        vm.libraries.insert(name, Library::Native(init));
    }
    for name in [
        "thread",
        "enumerator",
        "rational",
        "complex",
        "fiber",
        "io/wait",
        "io/nonblock",
        "continuation",
        "bundler/setup",
        "objspace",
        "ruby2_keywords",
    ] {
        vm.libraries.insert(name, Library::Native(nothing));
    }
    for (name, source) in sources::SOURCES {
        vm.libraries.insert(name, Library::Source(source));
    }
    for (name, source) in bundled::BUNDLED {
        vm.libraries.insert(name, Library::Gem(source));
    }
    autoload::core(vm);
    gems::register(vm);
}

/// Makes small gems known that cookbooks install beside Chef: for code whose gems count as installed.
pub fn register_gems(vm: &mut Vm) {
    for (name, source) in bundled::EXTRA {
        vm.libraries.insert(name, Library::Gem(source));
    }
}
