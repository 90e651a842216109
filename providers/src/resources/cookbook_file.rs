use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "cookbook_file",
    class: "CookbookFile",
    parent: "File",
    doc: "Copies a file out of a cookbook's `files` directory.",
    provides: &[Provides::always("cookbook_file")],
    actions: &["create", "delete", "touch", "create_if_missing"],
    default_action: &["create"],
    properties: &[
        prop("source", &[Str, Array])
            .lazy(coerce::basename_of_name)
            .doc("Name under `files`, or names to try in turn."),
        prop("cookbook", &[Str])
            .desired_state(false)
            .doc("Cookbook that holds the file; by default the one that declares the resource."),
    ],
    overlay: true,
    manages: Manages::Object(Object::path("path", Content::OfCookbook)),
    ..ResourceDef::DEFAULT
};
