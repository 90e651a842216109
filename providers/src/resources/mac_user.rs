use crate::coerce;
use crate::prelude::*;

pub static DEF: ResourceDef = ResourceDef {
    name: "mac_user",
    class: "User::MacUser",
    parent: "User",
    provider: "User::MacUser",
    doc: "Users by dscl and sysadminctl (macOS).",
    introduced: "15.3",
    provides: &[Provides::always("mac_user"), Provides::platform("user", &["mac_os_x"])],
    properties: &[
        prop("iterations", &[Int]).desired_state(false).default(LitInt(57803)).doc("Rounds of the password hash."),
        prop("gid", &[Int, Str]).coerce(gid).default(LitInt(20)).doc("Primary group."),
        prop("password", &[Str])
            .coerce(password)
            .callbacks(&[("Password length must be >= 4", long_enough)])
            .sensitive()
            .doc("Password, or its hash if there is a salt."),
        prop("home", &[Str]).lazy(home).doc("Home directory."),
        prop("admin", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Is an administrator."),
        prop("hidden", &[TRUE_CLASS, FALSE_CLASS, Nil]).default(Nil).since("15.8").doc("Is not shown at login."),
        prop("admin_username", &[Str]).doc("Administrator who may grant a SecureToken."),
        prop("admin_password", &[Str]).sensitive().doc("Password of that administrator."),
        prop("secure_token", &[TRUE_CLASS, FALSE_CLASS]).default(False).doc("Has a SecureToken."),
        prop("secure_token_password", &[Str]).lazy(token_password).sensitive().doc("Password of the user, in clear."),
    ],
    ..ResourceDef::DEFAULT
};

/// An Integer if the value is a number, else a name.
fn gid(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    Ok(coerce::integer(vm, resource, value).unwrap_or_else(|_| value.clone()))
}

/// With a salt, the password must be a shadow hash.
fn password(vm: &mut Vm, resource: &Value, value: &Value) -> Res {
    let salted = coerce::read(vm, resource, "salt")?.truthy();
    let hash =
        coerce::text(vm, value).is_some_and(|text| text.len() == 256 && text.bytes().all(|b| b.is_ascii_hexdigit()));
    if salted && !hash {
        let text = "Password must be a SALTED-SHA512-PBKDF2 shadow hash entropy when a shadow hash salt is given";
        return Err(coerce::chef_error(vm, "User", text));
    }
    Ok(value.clone())
}

fn long_enough(vm: &mut Vm, value: &Value) -> Res<bool> {
    let size = vm.call_name(value, "size", &[])?;
    coerce::between(vm, &size, 4, i64::MAX)
}

fn home(vm: &mut Vm, resource: &Value) -> Res {
    let name = coerce::read(vm, resource, "name")?;
    let name = vm.to_s_text(&name)?;
    Ok(Value::str(format!("/Users/{name}")))
}

/// Default of the token password: the plain-text password; nil with a salt, which means that the password is a hash.
fn token_password(vm: &mut Vm, resource: &Value) -> Res {
    if !coerce::read(vm, resource, "salt")?.is_nil() {
        return Ok(Value::Nil);
    }
    coerce::read(vm, resource, "password")
}
