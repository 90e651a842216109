use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, def};

pub static DEF: ResourceDef = ResourceDef {
    name: "ruby_block",
    class: "RubyBlock",
    doc: "Runs a block of Ruby during converge.",
    provides: &[Provides::always("ruby_block")],
    actions: &["run", "create"],
    default_action: &["run"],
    properties: &[prop("block_name", &[Str]).name_property().doc("A name for the block.")],
    methods: METHODS,
    overlay: true,
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[def("block", block, 0)];

/// Sets the block to run; without a block, gives the current one.
fn block(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    match args.block {
        Some(block) => {
            let block = Value::Proc(vm.block_to_proc(block));
            coerce::put(vm, this, "@block", block.clone());
            Ok(block)
        }
        None => Ok(coerce::take(vm, this, "@block")),
    }
}
