//! `Mixlib::Archive`, over [`rchef_change::archive`]. What it asks for and says is in `ruby/mixlib_archive.rb`.

use rchef_change::archive::{self, Restored};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Value, Vm, def, sym};

/// The feature with the class: the native method, then the Ruby source.
pub const FEATURE: &str = "mixlib/archive";
pub const SOURCE_FEATURE: &str = "chef/rchef/mixlib_archive_source";

static METHODS: &[MethodDef] = &[def("unpack", unpack, 4).private()];

/// `unpack(archive, destination, perms, wanted)`: writes the entries whose names the Proc `wanted` takes below the destination, which exists.
fn unpack(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (path, destination) = (vm.to_path(args.at(0))?, vm.to_path(args.at(1))?);
    let restored = Restored { permissions: args.at(2).truthy(), ..Restored::default() };
    let host = vm.host.clone();
    let mut failed = None;
    let done = archive::unpack(&*host, path.as_bytes(), 0, (destination.as_bytes(), restored), &mut |entry| {
        if failed.is_some() {
            return false;
        }
        match vm.call(args.at(3), sym::CALL, &[Value::str(String::from_utf8_lossy(&entry.name))]) {
            Ok(taken) => taken.truthy(),
            Err(error) => {
                failed = Some(error);
                false
            }
        }
    });
    match (failed, done) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(crate::provider::failure::raised(vm, &error)),
        (None, Ok(())) => Ok(Value::Nil),
    }
}

/// Defines the class with its method, then loads its source.
pub fn load(vm: &mut Vm) -> Res<()> {
    let mixlib = vm.define_module(ClassId::OBJECT, "Mixlib");
    let class = vm.define_class(mixlib, "Archive", ClassId::OBJECT);
    vm.define_methods(class, METHODS);
    rchef_ruby::embed::load::require(vm, SOURCE_FEATURE).map(drop)
}
