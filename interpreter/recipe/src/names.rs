//! Symbols that the model uses often, interned once.

use rchef_ruby::Symbol;
use std::sync::LazyLock;

macro_rules! names {
    ($($id:ident = $text:literal),* $(,)?) => {
        /// See [`N`].
        pub struct Names { $(pub $id: Symbol),* }
        pub static N: LazyLock<Names> = LazyLock::new(|| Names { $($id: Symbol::intern_static($text)),* });
    };
}

names! {
    name = "name", i_name = "@name", i_run_context = "@run_context", i_action = "@action", i_params = "@params", i_cookbook_name = "@cookbook_name",
    i_recipe_name = "@recipe_name", i_new_resource = "@new_resource", i_current_resource = "@current_resource", i_sensitive = "@sensitive",
    i_compile_time = "@compile_time", i_umask = "@umask", i_node = "@node",
    nothing = "nothing", action = "action", node = "node", run_context = "run_context", after_created = "after_created", default_action = "default_action",
    allowed_actions = "allowed_actions", resource_name = "resource_name", load_current_resource = "load_current_resource", load_current_value = "load_current_value!", check_resource_semantics = "check_resource_semantics!",
    delayed = "delayed", immediate = "immediate", immediately = "immediately", before = "before", run_action = "run_action", updated_by_last_action_p = "updated_by_last_action?",
    declared_key = "declared_key", resource_collection = "resource_collection", is = "is", coerce = "coerce", default = "default", required = "required",
    name_property = "name_property", name_attribute = "name_attribute", identity = "identity", desired_state = "desired_state", sensitive = "sensitive",
    deprecated = "deprecated", description = "description", introduced = "introduced", skip_docs = "skip_docs", default_description = "default_description",
    nillable = "nillable", validation_message = "validation_message", equal_to = "equal_to", kind_of = "kind_of", regex = "regex", callbacks = "callbacks",
    respond_to = "respond_to", cannot_be = "cannot_be", instance_variable_name = "instance_variable_name", declared_in = "declared_in", whyrun_supported = "whyrun_supported?",
    converge_by = "converge_by", new_resource = "new_resource", cookbook_name = "cookbook_name", recipe_name = "recipe_name", provides_p = "provides?",
    platform = "platform", platform_family = "platform_family", platform_version = "platform_version", os = "os", automatic = "automatic",
    lazy = "lazy", evaluate = "evaluate", continue_p = "continue?", resources = "resources", define_resource_requirements = "define_resource_requirements",
    user = "user", group = "group", cwd = "cwd", environment = "environment", compile_time = "compile_time", validate = "validate", unified_mode = "unified_mode", created_at = "created_at",
}
