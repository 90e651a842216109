use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "homebrew_tap",
    class: "HomebrewTap",
    doc: "Adds and removes taps of Homebrew (macOS).",
    introduced: "14.0",
    provides: &[Provides::when("homebrew_tap", coerce::anywhere)],
    actions: &["tap", "untap"],
    default_action: &["tap"],
    mixins: &["Chef::Mixin::Homebrew"],
    properties: &[
        prop("tap_name", &[Str])
            .name_property()
            .regex(r"^[\w-]+(?:/[\w-]+)+$")
            .message("Homebrew tap names must be in the form REPO/TAP format!")
            .doc("The tap, `user/name`."),
        prop("url", &[Str]).doc("Address of its repository."),
        prop("homebrew_path", &[Str]).doc("The brew program."),
        prop("owner", &[Str]).lazy(coerce::homebrew_owner).doc("User to run brew as; by default who owns it."),
    ],
    ..ResourceDef::DEFAULT
};
