use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "macosx_service",
    class: "MacosxService",
    parent: "Service",
    provider: "Service::Macosx",
    doc: "Services of launchd (macOS).",
    provides: &[Provides::always("macosx_service"), Provides::os("service", &["darwin"])],
    properties: &[
        prop("plist", &[Str]).doc("Property list of the service."),
        prop("session_type", &[Str]).doc("Session that it belongs to."),
    ],
    ..ResourceDef::DEFAULT
};
