//! Any bytes, run on an empty simulated machine with a budget.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rchef_host::overlay::{Identity, OverlayHost, OverlayOptions, skeleton};
use rchef_host::{Host, RealHost};
use rchef_ruby::Vm;
use rchef_ruby::embed::vm::on_large_stack;
use std::rc::Rc;

fuzz_target!(|source: &[u8]| {
    let ended = on_large_stack(256 << 20, || {
        let machine: Rc<dyn Host> = Rc::new(RealHost::new());
        let now = machine.monotonic_ns();
        let identity = Some(Identity { uid: 0, gid: 0, groups: vec![] });
        let options = OverlayOptions { cwd: Some(b"/".to_vec()), identity, ..OverlayOptions::default() };
        let Ok(host) = OverlayHost::empty(machine, &skeleton::linux(), options) else { return };
        let Some(mut vm) = Vm::new(Rc::new(host)) else { return };
        vm.limits.steps = Some(100_000);
        vm.limits.wall_time = Some(now + 5_000_000_000);
        vm.limits.size = 16 << 20;
        vm.limits.depth = 1_000;
        if let Err(error) = vm.run_main(source, "fuzz.rb") {
            let exception = vm.error_value(error);
            let _ = vm.inspect(&exception);
        }
    });
    assert!(ended.is_ok());
});
