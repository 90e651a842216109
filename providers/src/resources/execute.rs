use crate::coerce;
use crate::prelude::*;
use rchef_ruby::{Args, MethodDef, Symbol, any, def, opt};

pub static DEF: ResourceDef = ResourceDef {
    name: "execute",
    class: "Execute",
    doc: "Runs one command.",
    provides: &[Provides::always("execute")],
    actions: &["run"],
    default_action: &["run"],
    properties: &[
        prop("command", &[Str, Array]).name_property().doc("The command line, or a list of words that no shell sees."),
        prop("creates", &[Str]).doc("A file whose presence means there is nothing to do."),
        prop("cwd", &[Str]).doc("Directory to run in."),
        prop("environment", &[Hash]).doc("Environment variables to add."),
        prop("group", &[Str, Int]).doc("Group to run as."),
        prop("live_stream", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Show the command's output while it runs."),
        prop("default_env", &[TRUE_CLASS, FALSE_CLASS])
            .desired_state(false)
            .default(False)
            .since("14.2")
            .doc("Put the client's own binaries first in PATH and set a UTF-8 locale."),
        prop("returns", &[Int, Array]).default(LitInt(0)).doc("Exit codes that count as success."),
        prop("timeout", &[Int, Str, Float])
            .desired_state(false)
            .default(LitInt(3600))
            .doc("Seconds until the command is killed."),
        prop("user", &[Str, Int]).doc("User to run as."),
        prop("domain", &[Str]).since("12.21").doc("Windows domain of `user`."),
        prop("password", &[Str]).sensitive().since("12.21").doc("Windows password of `user`."),
        prop("sensitive", &[TRUE_CLASS, FALSE_CLASS])
            .lazy(password_given)
            .doc("Keep the command out of logs; true by itself once a password is given."),
        prop("elevated", &[TRUE_CLASS, FALSE_CLASS])
            .default(False)
            .since("13.3")
            .doc("Ask for an elevated token (Windows)."),
        prop("input", &[Str]).since("16.2").doc("What the command reads on standard input."),
        prop("login", &[TRUE_CLASS, FALSE_CLASS]).default(False).since("17.0").doc("Run in a login shell."),
    ],
    aliases: &[("env", "environment")],
    guard_inherited: &["cwd", "domain", "environment", "group", "password", "user", "umask", "login"],
    init: Some(init),
    after_created: Some(after_created),
    default_guard_interpreter: "execute",
    methods: METHODS,
    class_methods: CLASS_METHODS,
    overlay: true,
    guard_command: GuardCommand::Line,
    ..ResourceDef::DEFAULT
};

static CLASS_METHODS: &[MethodDef] =
    &[any("set_guard_inherited_attributes", set_guard_inherited), any("guard_inherited_attributes", guard_inherited)];
const INHERITED: &str = "@class_inherited_attributes";

/// `set_guard_inherited_attributes(name, …)`: properties that the resource of a guard interpreter takes over.
fn set_guard_inherited(vm: &mut Vm, class: &Value, args: Args<'_>) -> Res {
    let names = Value::array(args.pos.to_vec());
    vm.ivar_set(class, Symbol::intern_static(INHERITED), names.clone());
    Ok(names)
}
/// `guard_inherited_attributes`: the names of the class and its superclasses, those of superclasses first.
fn guard_inherited(vm: &mut Vm, class: &Value, _: Args<'_>) -> Res {
    let Value::Class(id) = class else { return Ok(Value::Nil) };
    let mut found = match vm.call_name(class, "superclass", &[])? {
        above if vm.respond_to(&above, Symbol::intern_static("guard_inherited_attributes"), false)? => {
            let names = vm.call_name(&above, "guard_inherited_attributes", &[])?;
            vm.to_array(&names)?
        }
        _ => Vec::new(),
    };
    let own = vm.ivar_get(class, Symbol::intern_static(INHERITED)).unwrap_or_default();
    match own {
        Value::Nil => {
            let def = rchef_recipe::resource::class::state(vm, *id).def;
            found.extend(def.iter().flat_map(|def| def.guard_inherited).map(|name| Value::sym(name)));
        }
        names => found.extend(vm.to_array(&names)?),
    }
    vm.call_name(&Value::array(found), "uniq", &[])
}

static METHODS: &[MethodDef] = &[
    opt("validate_identity_platform", validate_identity_platform, 1, 4),
    opt("qualify_user", qualify_user, 1, 3),
    def("is_guard_interpreter", is_guard_interpreter, 0),
    def("is_guard_interpreter=", set_is_guard_interpreter, 1),
];

/// The name is the default of `command`.
fn init(vm: &mut Vm, resource: &Value, name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@command", name.clone());
    coerce::put(vm, resource, "@is_guard_interpreter", Value::False);
    Ok(())
}

/// Default of `sensitive`: true if there is a password.
fn password_given(vm: &mut Vm, resource: &Value) -> Res {
    Ok(Value::bool(coerce::read(vm, resource, "password")?.truthy()))
}

/// Validates user, password and domain together, and splits `DOMAIN\user` and `user@domain`.
fn after_created(vm: &mut Vm, resource: &Value) -> Res<()> {
    let mut given = Vec::new();
    for name in ["user", "password", "domain", "elevated"] {
        given.push(coerce::read(vm, resource, name)?);
    }
    vm.call_name(resource, "validate_identity_platform", &given)?;
    let identity = vm.call_name(resource, "qualify_user", &given[..3])?;
    for name in ["domain", "user"] {
        let value = vm.call(&identity, rchef_ruby::sym::AREF, &[Value::sym(name)])?;
        coerce::write(vm, resource, name, value)?;
    }
    Ok(())
}

/// Validates that user, password, domain and elevation are supported on this platform.
fn validate_identity_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (user, password, domain, elevated) =
        (args.at(0).truthy(), args.at(1).truthy(), args.at(2).truthy(), args.at(3).truthy());
    if coerce::read(vm, this, "windows?")?.truthy() {
        if user && !password {
            return Err(vm.argument_error(
                "A value for `password` must be specified when a value for `user` is specified on the Windows platform",
            ));
        }
        if elevated && !user && !password {
            return Err(vm.argument_error("`elevated` option should be passed only with `username` and `password`."));
        }
    } else {
        if password || domain {
            return Err(coerce::chef_error(
                vm,
                "UnsupportedPlatform",
                "Values for `domain` and `password` are only supported on the Windows platform",
            ));
        }
        if elevated {
            return Err(coerce::chef_error(
                vm,
                "UnsupportedPlatform",
                "Value for `elevated` is only supported on the Windows platform",
            ));
        }
    }
    Ok(Value::Nil)
}

/// User and domain as a Hash; `DOMAIN\user` and `user@domain` are split.
pub(crate) fn qualify_user(vm: &mut Vm, _this: &Value, args: Args<'_>) -> Res {
    let (mut user, password, mut domain) = (args.at(0).clone(), args.at(1).truthy(), args.at(2).clone());
    if user.is_nil() && !domain.is_nil() {
        let shown = vm.to_s_text(&domain)?;
        return Err(vm.argument_error(format!("The domain `{shown}` was specified, but no user name was given")));
    }
    if let Some(name) = coerce::text(vm, &user) {
        if !domain.is_nil() {
            if name.contains(['\\', '@']) && domain.truthy() {
                let shown = vm.to_s_text(&domain)?;
                return Err(vm.argument_error(format!("The domain is provided twice. Username: `{name}`, Domain: `{shown}`. Please specify domain only once.")));
            }
        } else {
            let parts = |at: char| name.trim_end_matches(at).split(at).map(str::to_string).collect::<Vec<_>>();
            match (&parts('\\')[..], &parts('@')[..]) {
                ([first, second], _) => (domain, user) = (Value::str(first), Value::str(second)),
                ([_], [first, second]) => (domain, user) = (Value::str(second), Value::str(first)),
                ([_], [_]) => {}
                ([_], _) => {
                    return Err(vm.argument_error(format!(
                        "The specified user name `{name}` is not a syntactically valid user name"
                    )));
                }
                _ => {}
            }
        }
    }
    if (password || domain.truthy()) && user.is_nil() {
        return Err(vm.argument_error(
            "A value for `password` or `domain` was specified without specification of a value for `user`",
        ));
    }
    coerce::symbol_hash(vm, &[("domain", domain), ("user", user)])
}

/// Whether the resource runs the command of a guard.
fn is_guard_interpreter(vm: &mut Vm, this: &Value, _args: Args<'_>) -> Res {
    Ok(coerce::take(vm, this, "@is_guard_interpreter"))
}

fn set_is_guard_interpreter(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    coerce::put(vm, this, "@is_guard_interpreter", args.at(0).clone());
    Ok(args.at(0).clone())
}
