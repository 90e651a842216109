use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "homebrew_cask",
    class: "HomebrewCask",
    doc: "Installs applications by Homebrew casks (macOS).",
    introduced: "14.0",
    provides: &[Provides::when("homebrew_cask", coerce::anywhere)],
    actions: &["install", "remove"],
    default_action: &["install"],
    mixins: &["Chef::Mixin::Homebrew"],
    properties: &[
        prop("cask_name", &[Str]).name_property().regex(r"^[\w/\-@]+$").message("The provided Homebrew cask name is not valid. Cask names can contain alphanumeric characters, _, -, or / only!").doc("The cask."),
        prop("options", &[Str]).doc("Options of brew."),
        prop("homebrew_path", &[Str]).doc("The brew program."),
        prop("owner", &[Str, Int]).lazy(coerce::homebrew_owner).doc("User to run brew as; by default who owns it."),
    ],
    ..ResourceDef::DEFAULT
};
