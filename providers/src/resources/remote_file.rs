use crate::coerce;
use crate::prelude::*;
use crate::resources::execute;
use rchef_ruby::{Args, MethodDef, any, def, opt};

pub static DEF: ResourceDef = ResourceDef {
    name: "remote_file",
    class: "RemoteFile",
    parent: "File",
    doc: "Downloads a file, unless it has not changed.",
    provides: &[Provides::always("remote_file")],
    mixins: &["Chef::Mixin::Uris"],
    properties: &[
        prop("checksum", &[Str]).doc("SHA-256 of the content: a match saves the download, a mismatch fails it."),
        prop("use_etag", &[TRUE_CLASS, FALSE_CLASS])
            .default(True)
            .doc("Ask the server by ETag whether anything changed."),
        prop("use_last_modified", &[TRUE_CLASS, FALSE_CLASS])
            .default(True)
            .doc("Ask the server by modification time whether anything changed."),
        prop("ftp_active_mode", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Active instead of passive FTP."),
        prop("headers", &[Hash]).default_empty(Hash).doc("Extra HTTP headers."),
        prop("show_progress", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Report the progress of the download."),
        prop("ssl_verify_mode", &[Sym])
            .equal_to(&[LitSym("verify_none"), LitSym("verify_peer")])
            .since("16.2")
            .doc("Whether the server's certificate is checked, for this download alone."),
        prop("remote_user", &[Str]).since("13.4").doc("User for a network share (Windows)."),
        prop("remote_domain", &[Str]).since("13.4").doc("Domain of `remote_user`."),
        prop("remote_password", &[Str]).sensitive().since("13.4").doc("Password of `remote_user`."),
        prop("authentication", &[Sym])
            .default(LitSym("remote"))
            .equal_to(&[LitSym("remote"), LitSym("local")])
            .doc("Whether `remote_user` is known remotely or locally."),
        prop("http_options", &[Hash]).default_empty(Hash).since("17.5").doc("Further options of the HTTP client."),
    ],
    aliases: &[("use_etags", "use_etag")],
    init: Some(init),
    after_created: Some(after_created),
    methods: METHODS,
    accessors: &["source"],
    manages: Manages::Object(Object::path("path", Content::Whole)),
    ..ResourceDef::DEFAULT
};

static METHODS: &[MethodDef] = &[
    any("source", source),
    def("use_conditional_get", use_conditional_get, 1),
    opt("qualify_user", execute::qualify_user, 1, 3),
    opt("validate_identity_platform", validate_identity_platform, 1, 3),
];

fn init(vm: &mut Vm, resource: &Value, _name: &Value) -> Res<()> {
    coerce::put(vm, resource, "@source", Value::array(Vec::new()));
    Ok(())
}

/// The source URIs, tried in turn: one or several arguments, an Array, or one `lazy { }`.
fn source(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        let stored = coerce::take(vm, this, "@source");
        let lazy = coerce::is_lazy(vm, &stored);
        let value = coerce::force(vm, this, stored)?;
        if lazy {
            check_source(vm, this, &value)?;
        }
        return Ok(match value {
            Value::Str(_) => Value::array(vec![value]),
            _ => value,
        });
    }
    let lazies = args.pos.iter().filter(|value| coerce::is_lazy(vm, value)).count();
    let value = match lazies {
        0 => {
            let list = Value::array(args.pos.to_vec());
            let list = vm.call_name(&list, "flatten", &[])?;
            check_source(vm, this, &list)?;
            list
        }
        _ if args.len() == 1 => args.at(0).clone(),
        _ => {
            return Err(coerce::chef_error(
                vm,
                "InvalidRemoteFileURI",
                "Only 1 source argument allowed when using a lazy evaluator",
            ));
        }
    };
    coerce::put(vm, this, "@source", value.clone());
    Ok(value)
}

fn check_source(vm: &mut Vm, this: &Value, value: &Value) -> Res<()> {
    let items = vm.to_array(value)?;
    let name = coerce::read(vm, this, "resource_name")?;
    let name = vm.to_s_text(&name)?;
    if items.is_empty() {
        return Err(vm.argument_error(format!("{name} has an empty source")));
    }
    for item in &items {
        let text = coerce::text(vm, item);
        // a URI needs a scheme; `\\host\share` is a network share
        if !text.is_some_and(|text| {
            text.starts_with("\\\\") || text.split_once(':').is_some_and(|(scheme, _)| coerce::scheme_like(scheme))
        }) {
            let shown = vm.inspect(item)?;
            let text = format!(
                "{shown} is not a valid `source` parameter for {name}. `source` must be an absolute URI or an array of URIs."
            );
            return Err(coerce::chef_error(vm, "InvalidRemoteFileURI", text));
        }
    }
    Ok(())
}

/// Sets `use_etag` and `use_last_modified`.
fn use_conditional_get(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    coerce::write(vm, this, "use_etag", args.at(0).clone())?;
    coerce::write(vm, this, "use_last_modified", args.at(0).clone())?;
    Ok(args.at(0).clone())
}

/// Validates that there is a password where a user is given on Windows.
fn validate_identity_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if args.at(0).truthy() && args.at(1).is_nil() && coerce::windows(vm, this)? {
        return Err(vm.argument_error("A value for `remote_password` must be specified when a value for `user` is specified on the Windows platform"));
    }
    Ok(Value::Nil)
}

/// Validates user, password and domain together, and splits `DOMAIN\user` and `user@domain`.
fn after_created(vm: &mut Vm, resource: &Value) -> Res<()> {
    let mut given = Vec::new();
    for name in ["remote_user", "remote_password", "remote_domain"] {
        given.push(coerce::read(vm, resource, name)?);
    }
    vm.call_name(resource, "validate_identity_platform", &given)?;
    let identity = vm.call_name(resource, "qualify_user", &given)?;
    for (name, key) in [("remote_domain", "domain"), ("remote_user", "user")] {
        let value = vm.call(&identity, rchef_ruby::sym::AREF, &[Value::sym(key)])?;
        coerce::write(vm, resource, name, value)?;
    }
    Ok(())
}
