//! The standard library for Ruby code, implemented natively or as embedded Ruby.
//!
//! - [`register`]: makes all libraries known to `require`; [`autoload_for_chef`]: what Chef has loaded before any cookbook;
//! - [`add_gem_folders`]: directories of pure Ruby gems, besides GEM_PATH; [`register_gems`]: small gems that Chef lacks; [`load_hint`]: advice about
//!   missing gems;
//! - `json`, `ffi_yajl`, `digest`, `monitor`, `yaml`, `shellout`, `stringio`, `strscan`, `small`: native; `ruby/`, `bundled/`: embedded Ruby;
//! - [`erubis`]: the dialect of templates, also used for Chef's own templates;
//! - `date`, `openssl` (libcrypto), `socket`, `zlib`, `gems`: the native parts of the embedded libraries with these names.

/// A source of `ruby/` or `bundled/`, compressed by build.rs.
macro_rules! embedded {
    ($path:literal) => {
        rchef_ruby::embed::library::Text::Deflated(include_bytes!(concat!(env!("OUT_DIR"), "/", $path)))
    };
}

mod autoload;
mod bundled;

mod date;
mod digest;
pub mod erubis;
mod ffi_yajl;
mod gems;
mod json;
mod monitor;
mod openssl;
mod racc;
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
pub use gems::{add_gem_folders, declare_gem, gem_home, offer_declared_gems};
pub use json::plain as parse_json;
pub use small::set_ruby_program;

use rchef_ruby::embed::library::Library;
use rchef_ruby::{Res, Vm};

fn nothing(_: &mut Vm) -> Res<()> {
    Ok(())
}

/// Makes the libraries known to `require`, without loading them. `Gem` loads when first used, because MRI has it from the start.
pub fn register(vm: &mut Vm) {
    openssl::ffi::initialize();
    for (name, init) in [
        ("stringio", stringio::init as rchef_ruby::embed::library::NativeLibrary),
        ("strscan", strscan::init),
        ("json", json::init),
        ("ffi_yajl", ffi_yajl::init),
        ("digest/native", digest::init),
        ("erubis/native", erubis::init),
        ("date/native", date::init),
        ("openssl/native", openssl::init),
        ("socket/native", socket::init),
        ("rubygems/native", gems::init),
        ("etc/native", small::etc),
        ("ripper/native", ripper::init),
        ("rbconfig/native", small::rbconfig),
        ("zlib/native", zlib::init),
        ("weakref/native", small::weakref),
        ("monitor/native", monitor::init),
        ("racc/cparse", racc::init),
        ("racc/parser-text", small::racc_parser_text),
        ("did_you_mean/native", small::did_you_mean),
        ("io/console/native", small::console),
        ("pathname/native", small::pathname),
        ("io/wait", small::wait),
        ("io/nonblock", small::nonblock_methods),
        ("base64", small::base64),
        ("securerandom/native", small::securerandom),
        ("mixlib/shellout", shellout::init),
        ("psych", yaml::init),
        ("psych.so", yaml::init_native),
    ] {
        vm.libraries.insert(name, Library::Native(init));
    }
    for name in ["thread", "enumerator", "rational", "complex", "fiber", "continuation", "ruby2_keywords"] {
        vm.libraries.insert(name, Library::Native(nothing));
    }
    vm.libraries.add_table(sources::SOURCES);
    for (name, source) in bundled::BUNDLED {
        vm.libraries.insert(name, Library::Gem(*source));
    }
    shellout::register(vm);
    autoload::core(vm);
    gems::register(vm);
}

/// Makes extra gems known that cookbooks install in addition to Chef, for code whose gems count as installed.
pub fn register_gems(vm: &mut Vm) {
    for (name, source) in bundled::EXTRA {
        vm.libraries.insert(name, Library::Gem(*source));
    }
}

#[cfg(test)]
mod tests {
    use super::{Library, bundled, sources};

    #[test]
    fn embedded_sources_are_text() {
        let gems = bundled::BUNDLED.iter().chain(bundled::EXTRA).copied();
        let own = sources::SOURCES.iter().filter_map(|(name, library)| match library {
            Library::Source(source) | Library::Core(source) => Some((*name, *source)),
            Library::Native(_) | Library::Gem(_) => None,
        });
        for (name, source) in own.chain(gems) {
            let bytes = source.bytes();
            assert!(
                bytes.as_ref().is_ok_and(|bytes| !bytes.is_empty() && std::str::from_utf8(bytes).is_ok()),
                "{name}"
            );
        }
    }
}
