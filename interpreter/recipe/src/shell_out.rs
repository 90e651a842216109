//! `Chef::Mixin::ShellOut` and `Chef::Mixin::PowershellOut`: commands of recipes, libraries and providers (chef: lib/chef/mixin/shell_out.rb).

use rchef_ruby::{Args, ClassId, Gc, MethodDef, RHash, Res, Symbol, Value, Vm, any, at_least, opt, sym};

static SHELL_OUT: &[MethodDef] = &[
    any("shell_out", shell_out),
    any("shell_out!", shell_out_bang),
    any("shell_out_compacted", compacted),
    any("shell_out_compacted!", compacted_bang),
    any("shell_out_with_systems_locale", shell_out),
    any("shell_out_with_systems_locale!", shell_out_bang),
    at_least("powershell_out", powershell_out, 1),
    at_least("powershell_out!", powershell_out_bang, 1),
    opt("path_sanity", path_sanity, 0, 1).private(),
    opt("default_paths", crate::dsl::utils::default_paths, 0, 1),
    any("__shell_out_command", shell_out_command),
];
/// Default timeout of a provider's command in seconds.
const TIMEOUT: i64 = 900;

/// `shell_out(*words, **options)`: without nils, with flattened arrays and the timeout of the provider's resource.
fn shell_out(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    prepared(vm, this, args, "shell_out_compacted")
}
fn shell_out_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    prepared(vm, this, args, "shell_out_compacted!")
}
fn prepared(vm: &mut Vm, this: &Value, args: Args<'_>, next: &'static str) -> Res {
    let (words, options) = args.split();
    let mut flat = Vec::with_capacity(words.len() + 1);
    for word in words {
        match word {
            Value::Array(list) => flat.extend(list.get(vm).items.iter().filter(|item| !item.is_nil()).cloned()),
            Value::Nil => {}
            other => flat.push(other.clone()),
        }
    }
    let options = match options {
        Some(given) => vm.call(&Value::Hash(given.clone()), sym::DUP, &[])?,
        None if matches!(flat.last(), Some(Value::Hash(_))) => {
            let given = flat.pop().unwrap_or_default();
            vm.call(&given, sym::DUP, &[])?
        }
        None => vm.new_hash(Vec::new())?,
    };
    let Value::Hash(table) = &options else { return Err(vm.argument_error("options must be a Hash")) };
    timeout(vm, this, table)?;
    hand_on(vm, this, next, flat, &options)
}
fn hand_on(vm: &mut Vm, this: &Value, next: &'static str, mut words: Vec<Value>, options: &Value) -> Res {
    let plain = vm.call_name(options, "empty?", &[])?.truthy();
    if !plain {
        words.push(options.clone());
    }
    vm.call_args(this, Symbol::intern_static(next), Args::new(&words).with_keywords(!plain))
}
/// `shell_out_compacted(*words, **options)`: with Chef's default locale and PATH unless `default_env: false`.
fn compacted(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (words, options) = args.split();
    let options = match options {
        Some(given) => vm.call(&Value::Hash(given.clone()), sym::DUP, &[])?,
        None => vm.new_hash(Vec::new())?,
    };
    if let Value::Hash(table) = &options {
        environment(vm, table)?;
    }
    hand_on(vm, this, "__shell_out_command", words.to_vec(), &options)
}
fn compacted_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let done = vm.call_args(this, Symbol::intern_static("shell_out_compacted"), args)?;
    vm.call_name(&done, "error!", &[])?;
    Ok(done)
}
/// Creates and runs the command; libraries and specs override this method.
fn shell_out_command(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    rchef_ruby::embed::load::require(vm, "mixlib/shellout")?;
    let name = Symbol::intern_static("ShellOut");
    // as Ruby code asks for it, which loads its methods
    let class = match vm.class_named("Mixlib") {
        Some(mixlib) => vm.const_get_from(mixlib, name, false)?,
        None => None,
    };
    let Some(class) = class else {
        return Err(vm.name_error("uninitialized constant Mixlib::ShellOut", &Value::Nil, name));
    };
    let made = vm.call_args(&class, sym::NEW, args)?;
    vm.call_name(&made, "run_command", &[])
}
/// Adds the timeout of the provider's resource, unless one is given.
fn timeout(vm: &mut Vm, this: &Value, options: &Gc<RHash>) -> Res<()> {
    let provider = crate::run::process_mut(vm).classes.provider;
    if vm.hash_get_sym(options, Symbol::intern_static("timeout")).is_some()
        || !provider.is_some_and(|provider| vm.is_a(this, provider))
    {
        return Ok(());
    }
    let resource = crate::provider::state::new_resource(vm, this);
    let name = Symbol::intern_static("timeout");
    if resource.is_nil() || !vm.respond_to(&resource, name, false)? {
        return Ok(());
    }
    let value = match vm.call(&resource, name, &[])? {
        Value::Nil => Value::Int(TIMEOUT),
        seconds => vm.call_name(&seconds, "to_f", &[])?,
    };
    vm.hash_set(options, Value::Sym(name), value)
}
/// Adds Chef's default locale and PATH; the caller's variables take precedence.
fn environment(vm: &mut Vm, options: &Gc<RHash>) -> Res<()> {
    let wanted = vm.call(&Value::Hash(options.clone()), sym::DELETE, &[Value::sym("default_env")])?;
    if wanted.same(&Value::False) {
        return Ok(());
    }
    let locale = crate::chef_class::setting(vm, "internal_locale")?;
    let mut pairs: Vec<(Value, Value)> =
        ["LC_ALL", "LANGUAGE", "LANG"].iter().map(|name| (Value::str(name), locale.clone())).collect();
    let path = vm.host.env(b"PATH").unwrap_or_default();
    pairs.push((Value::str("PATH"), Value::bytes(rchef_change::command::with_usual_folders(&path))));
    let merged = vm.new_hash(pairs)?;
    let key = ["env", "environment"]
        .into_iter()
        .map(Symbol::intern_static)
        .find(|key| vm.hash_get_sym(options, *key).is_some())
        .unwrap_or(Symbol::intern_static("environment"));
    if let Some(Value::Hash(given)) = vm.hash_get_sym(options, key)
        && let Value::Hash(merged) = &merged
    {
        let given: Vec<(Value, Value)> =
            given.get(vm).iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        for (name, value) in given {
            let name = Value::Str(vm.to_s(&name)?);
            vm.hash_set(merged, name, value)?;
        }
    }
    vm.hash_set(options, Value::Sym(key), merged)
}
/// `powershell_out(script, interpreter = :powershell, **options)` with the interpreter `:powershell` or `:pwsh`: runs it with the script on its
/// command line.
fn powershell_out(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (words, options) = args.split();
    let interpreter = match words.get(1) {
        Some(Value::Sym(given)) => given.as_str(),
        _ => "powershell",
    };
    if !matches!(interpreter, "powershell" | "pwsh") {
        return Err(vm.argument_error("Expected interpreter of :powershell or :pwsh"));
    }
    let script = vm.to_text(args.at(0))?.replace('"', "\\\"");
    let command = format!(
        "{interpreter}.exe -NoLogo -NonInteractive -NoProfile -ExecutionPolicy Unrestricted -InputFormat None -Command \"{script}\""
    );
    let mut made = vec![Value::str(command)];
    if let Some(options) = options {
        let architecture = Symbol::intern_static("architecture");
        let pairs: Vec<(Value, Value)> =
            options.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let kept =
            pairs.into_iter().filter(|(key, _)| !matches!(key, Value::Sym(name) if *name == architecture)).collect();
        made.push(vm.new_hash(kept)?);
    }
    shell_out(vm, this, Args::new(&made))
}
fn powershell_out_bang(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let done = powershell_out(vm, this, args)?;
    vm.call_name(&done, "error!", &[])?;
    Ok(done)
}
fn path_sanity(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Nil)
}

/// Registers the modules; `Chef::Mixin` must be defined.
pub fn boot(vm: &mut Vm, chef: ClassId) -> Res<()> {
    if let Some(Value::Class(mixin)) =
        vm.const_own(chef, Symbol::intern_static("Mixin")).map(|constant| constant.value.clone())
    {
        let module = vm.define_module(mixin, "ShellOut");
        vm.define_methods(module, SHELL_OUT);
        vm.define_singleton_methods(module, SHELL_OUT);
        let universal = crate::run::class(vm, |classes| classes.dsl_universal)?;
        vm.include_module(universal, module);
        let powershell = vm.define_module(mixin, "PowershellOut");
        vm.include_module(powershell, module);
    }
    Ok(())
}
