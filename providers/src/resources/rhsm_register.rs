use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "rhsm_register",
    class: "RhsmRegister",
    doc: "Registers with Red Hat.",
    introduced: "14.0",
    provides: &[Provides::when("rhsm_register", coerce::anywhere)],
    actions: &["register", "unregister"],
    default_action: &["register"],
    properties: &[
        prop("activation_key", &[Str, Array]).coerce(coerce::to_array).doc("Activation keys."),
        prop("satellite_host", &[Str]).doc("Satellite to register with."),
        prop("organization", &[Str]).doc("Organisation."),
        prop("environment", &[Str]).doc("Environment."),
        prop("username", &[Str]).doc("User, without activation key."),
        prop("password", &[Str]).sensitive().doc("Password of the user."),
        prop("system_name", &[Str]).since("16.5").doc("Name of the system."),
        prop("auto_attach", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Attach subscriptions by itself."),
        prop("install_katello_agent", &[TRUE_CLASS, FALSE_CLASS]).default(True).doc("Install the agent of Katello."),
        prop("force", &[TRUE_CLASS, FALSE_CLASS]).desired_state(false).default(False).doc("Register again."),
        prop("https_for_ca_consumer", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .since("15.9")
            .doc("Fetch the Satellite's package by HTTPS."),
        prop("server_url", &[Str]).since("17.8").doc("Host of the service."),
        prop("base_url", &[Str]).since("17.8").doc("Host of the content."),
        prop("service_level", &[Str]).since("17.8").doc("Service level to attach."),
        prop("release", &[Float, Str]).since("17.8").doc("Release to stay on."),
    ],
    provider_methods: crate::providers::rhsm::REGISTER_METHODS,
    ..ResourceDef::DEFAULT
};
