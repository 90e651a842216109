use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "windows_script",
    class: "WindowsScript",
    parent: "Script",
    doc: "Scripts on Windows; parent of batch and powershell_script.",
    properties: &[prop("architecture", &[Sym]).legacy().doc("Run as a 32-bit or as a 64-bit process.")],
    guard_inherited: &["architecture"],
    ..ResourceDef::DEFAULT
};
