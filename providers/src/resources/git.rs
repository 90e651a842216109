use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "git",
    class: "Git",
    doc: "Keeps a working copy of a git repository.",
    provides: &[Provides::always("git")],
    actions: &["sync", "checkout", "export", "diff", "log"],
    default_action: &["sync"],
    properties: &[
        prop("destination", &[Str]).name_property().doc("Where the working copy lies."),
        prop("repository", &[Str]).doc("Address of the repository."),
        prop("revision", &[Str]).default(LitStr("HEAD")).doc("Branch, tag or commit."),
        prop("user", &[Str, Int]).doc("User to run git as."),
        prop("group", &[Str, Int]).doc("Group to run git as."),
        prop("timeout", &[Int]).desired_state(false).doc("Seconds until git is killed."),
        prop("environment", &[Hash, Nil]).default(Nil).doc("Environment variables for git."),
        prop("additional_remotes", &[Hash]).default_empty(Hash).doc("Further remotes, name to address."),
        prop("depth", &[Int]).doc("Number of commits to fetch; none fetches all."),
        prop("enable_submodules", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Update submodules too."),
        prop("enable_checkout", &[TRUE_CLASS, FALSE_CLASS])
            .default(True)
            .doc("Check the revision out; false stops after the clone."),
        prop("remote", &[Str]).default(LitStr("origin")).doc("Name of the remote."),
        prop("ssh_wrapper", &[Str]).desired_state(false).doc("Script to use as GIT_SSH."),
        prop("checkout_branch", &[Str]).doc("Local branch to check out into."),
    ],
    aliases: &[("env", "environment"), ("branch", "revision"), ("reference", "revision"), ("repo", "repository")],
    ..ResourceDef::DEFAULT
};
