use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "whyrun_safe_ruby_block",
    class: "WhyrunSafeRubyBlock",
    parent: "RubyBlock",
    doc: "A ruby_block that runs under why-run as well.",
    provides: &[Provides::always("whyrun_safe_ruby_block")],
    ..ResourceDef::DEFAULT
};
