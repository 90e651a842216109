use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "chef_vault_secret",
    class: "ChefVaultSecret",
    doc: "Keeps items of a chef-vault.",
    introduced: "16.0",
    provides: &[Provides::always("chef_vault_secret")],
    actions: &["create", "create_if_missing", "delete"],
    default_action: &["create"],
    properties: &[
        prop("id", &[Str]).name_property().doc("The item."),
        prop("data_bag", &[Str]).desired_state(false).required().doc("Its data bag."),
        prop("admins", &[Str, Array]).desired_state(false).required().doc("Users that may read and write."),
        prop("clients", &[Str, Array]).desired_state(false).doc("Nodes that may read, by search or by name."),
        prop("search", &[Str]).desired_state(false).default(LitStr("*:*")).doc("Search for the nodes that may read."),
        prop("raw_data", &[Hash, Class("ChefUtils::Mash")]).default_empty(Hash).sensitive().doc("The secret."),
        prop("environment", &[Str, NIL_CLASS]).desired_state(false).doc("Environment whose nodes are meant."),
    ],
    ..ResourceDef::DEFAULT
};
