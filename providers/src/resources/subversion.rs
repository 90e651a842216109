use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "subversion",
    class: "Subversion",
    doc: "Keeps a working copy of a Subversion repository.",
    provides: &[Provides::always("subversion")],
    actions: &["sync", "checkout", "export", "diff", "log", "force_export"],
    default_action: &["sync"],
    properties: &[
        prop("destination", &[Str]).name_property().doc("Where the working copy lies."),
        prop("repository", &[Str]).doc("Address of the repository."),
        prop("revision", &[Str]).default(LitStr("HEAD")).doc("Revision."),
        prop("user", &[Str, Int]).doc("User to run svn as."),
        prop("group", &[Str, Int]).doc("Group to run svn as."),
        prop("timeout", &[Int]).desired_state(false).doc("Seconds until svn is killed."),
        prop("environment", &[Hash, Nil]).default(Nil).doc("Environment variables for svn."),
        prop("svn_arguments", &[Str, Nil, FALSE_CLASS])
            .coerce(coerce::false_to_nil)
            .default(LitStr("--no-auth-cache"))
            .doc("Further arguments of every command."),
        prop("svn_info_args", &[Str, Nil, FALSE_CLASS])
            .coerce(coerce::false_to_nil)
            .default(LitStr("--no-auth-cache"))
            .doc("Further arguments of `svn info`."),
        prop("svn_binary", &[Str]).doc("The svn program."),
        prop("svn_username", &[Str]).doc("User for the repository."),
        prop("svn_password", &[Str]).desired_state(false).sensitive().doc("Password for the repository."),
    ],
    aliases: &[("env", "environment")],
    ..ResourceDef::DEFAULT
};
