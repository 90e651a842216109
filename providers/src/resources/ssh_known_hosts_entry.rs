use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "ssh_known_hosts_entry",
    class: "SshKnownHostsEntry",
    doc: "Keeps the host keys that all users know.",
    introduced: "14.3",
    provides: &[Provides::always("ssh_known_hosts_entry")],
    actions: &["create", "flush"],
    default_action: &["create"],
    properties: &[
        prop("host", &[Str]).name_property().doc("Host."),
        prop("key", &[Str]).doc("Its key; asked from the host if not given."),
        prop("key_type", &[Str]).default(LitStr("rsa")).doc("Type of the key."),
        prop("port", &[Int]).default(LitInt(22)).doc("Port of the ssh server."),
        prop("timeout", &[Int]).desired_state(false).default(LitInt(30)).doc("Seconds to wait for the host."),
        prop("mode", &[Str]).default(LitStr("0644")).doc("Mode of the file."),
        prop("owner", &[Str, Int]).default(LitStr("root")).doc("Owner of the file."),
        prop("group", &[Str, Int]).lazy(coerce::root_group).doc("Group of the file."),
        prop("hash_entries", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Write host names as hashes."),
        prop("file_location", &[Str]).default(LitStr("/etc/ssh/ssh_known_hosts")).doc("The file."),
    ],
    ..ResourceDef::DEFAULT
};
