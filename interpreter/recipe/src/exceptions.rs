//! `Chef::Exceptions`: all classes with their superclasses, and the constructors that build their own message.
//!
//! Facts: chef 18.11.21, lib/chef/exceptions.rb. [`crate::run::chef_error`] raises one with a given message; constructors run only on `new`.

use rchef_ruby::embed::error::ExceptionData;
use rchef_ruby::embed::method::{Method, MethodBody, Visibility};
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, opt};

/// Classes: their module (below `Chef::Exceptions`), superclass and names. Superclasses come before their subclasses.
static TABLE: &[(&str, &str, &str)] = &[
    (
        "",
        "RuntimeError",
        "Application SigInt SigTerm Cron WindowsEnv Exec Execute ErlCall FileNotFound Package Service Script Route SearchIndex Override \
         UnsupportedAction MissingLibrary CannotDetermineNodeName User Group Link Mount PrivateKeyMissing CannotWritePrivateKey \
         RoleNotFound DuplicateRole RedirectLimitExceeded CookbookNotFound OnlyApiVersion0SupportedForAction CookbookMergingError \
         AttributeNotFound NoSuchAttribute AttributeTypeMismatch InvalidCommandOption CommandTimeout RequestedUIDUnavailable \
         DsclCommandFailed PlistUtilCommandFailed InvalidResourceReference ResourceNotFound ProviderNotFound VerificationNotFound \
         MultipleIdentityError CurrentValueDoesNotExist SolrConnectionError IllegalChecksumRevert MissingParentDirectory \
         UnresolvableGitReference InvalidRemoteGitReference Win32APIError Win32NotWindows WindowsNotAdmin Win32ArchitectureIncorrect \
         DuplicateDataBagItem PowershellCmdletException LCMParser AmbiguousYAMLFile FileContentStagingError InsufficientPermissions \
         Ifconfig Win32RegKeyMissing Win32RegValueMissing Win32RegDataMissing Win32RegValueExists EnvironmentNotFound FileTypeMismatch \
         InvalidSymlink ChildConvergeError DeprecatedFeatureError MissingRole ContentLengthMismatch UnsupportedPlatform RunLockTimeout \
         ChecksumMismatch BadProxyURI AmbiguousProviderResolution RunFailedWrappingError PIDFileLockfileMatch CookbookChefVersionMismatch \
         CookbookOhaiVersionMismatch MultipleDscResourcesFound GemRequirementConflict UnifiedModeImmediateSubscriptionEarlierResource \
         UnifiedModeBeforeSubscriptionEarlierResource RestError",
    ),
    // rchef's own
    ("", "RuntimeError", "NotificationCycle"),
    ("", "Exception", "Reboot RebootPending ClientUpgraded"),
    ("", "Mixlib::ShellOut::ShellCommandFailed", "RebootFailed"),
    (
        "",
        "ArgumentError",
        "ValidationFailed CannotValidateStaticallyError InvalidPrivateKey MissingKeyAttribute KeyCommandInputError \
         BootstrapCommandInputError InvalidKeyArgument InvalidKeyAttribute InvalidUserAttribute InvalidClientAttribute \
         AmbiguousRunlistSpecification CookbookFrozen CookbookNotFoundInRepo RecipeNotFound InvalidHomeDirectory UserIDNotFound \
         GroupIDNotFound ConflictingMembersInGroup InvalidEventType InvalidPolicybuilderCall InvalidResourceSpecification \
         CookbookVersionNameMismatch InvalidEnvironmentRunListSpecification InvalidDataBagItemID InvalidDataBagName \
         EnclosingDirectoryDoesNotExist ObsoleteDependencySyntax InvalidDataBagPath CookbookVersionConflict InvalidPlatformVersion \
         InvalidCookbookVersion InvalidVersionConstraint InvalidRemoteFileURI Win32RegHiveMissing Win32RegNoRecursive \
         Win32RegTypeDoesNotExist Win32RegBadType Win32RegBadValueSize Win32RegTypesMismatch RegKeyValuesTypeMissing \
         RegKeyValuesDataMissing InvalidEnvironmentPath InvalidSearchQuery DSCModuleNameMissing",
    ),
    (
        "",
        "StandardError",
        "MissingCookbookDependency MetadataNotValid MetadataNotFound StaleAttributeRead MultipleFailures InvalidRedirect",
    ),
    ("", "NameError", "NoSuchResourceType"),
    ("", "NotImplementedError", "Win32APIFunctionNotImplemented IllegalVersionConstraint"),
    (
        "",
        "Chef::Exceptions::Package",
        "CannotDetermineHomebrewPath CannotDetermineWindowsInstallerType NoWindowsPackageSource",
    ),
    ("", "NoMethodError", "ImmutableAttributeModification"),
    ("", "Chef::Exceptions::Win32ArchitectureIncorrect", "Win32RegArchitectureIncorrect"),
    ("", "Object", "Secret CookbookVersionSelection JSON"),
    ("", "Chef::Exceptions::RestError", "RestTargetError RestTimeout RestOperationFailed"),
    (
        "Secret",
        "RuntimeError",
        "RetrievalError ConfigurationInvalid FetchFailed MissingSecretName InvalidSecretName InvalidFetcherService MissingFetcher",
    ),
    ("Secret", "Object", "Azure"),
    ("Secret::Azure", "RuntimeError", "IdentityNotFound"),
    ("CookbookVersionSelection", "StandardError", "InvalidRunListItems UnsatisfiableRunListItem"),
    ("JSON", "RuntimeError", "EncodeError ParseError"),
];

/// The exceptions of `Mixlib::ShellOut` and `ChefConfig`, from which others derive: module, superclass and names.
static ROOTS: &[(&str, &str, &str)] = &[
    ("Mixlib::ShellOut", "RuntimeError", "Error"),
    ("Mixlib::ShellOut", "Mixlib::ShellOut::Error", "ShellCommandFailed CommandTimeout InvalidCommandOption"),
    ("Mixlib::ShellOut", "Mixlib::ShellOut::ShellCommandFailed", "EmptyWindowsCommand"),
    ("ChefConfig", "ArgumentError", "ConfigurationError"),
    ("ChefConfig", "StandardError", "InvalidPath UnparsableConfigOption NoCredentialsFound"),
    ("ChefConfig", "ChefConfig::ConfigurationError", "UnsupportedSecretsProvider UnresolvedSecret"),
];

/// The message of `Chef::Exceptions::ImmutableAttributeModification`, which tells how to set attributes.
pub const READ_ONLY: &str = "Node attributes are read-only when you do not specify which precedence level to set. \
    To set an attribute use code like `node.default[\"key\"] = \"value\"'";

/// Registers the classes; defines `Chef` if necessary.
pub fn boot(vm: &mut Vm) {
    let chef = vm.define_class(ClassId::OBJECT, "Chef", ClassId::OBJECT);
    let exceptions = vm.define_class(chef, "Exceptions", ClassId::OBJECT);
    let mixlib = vm.define_module(ClassId::OBJECT, "Mixlib");
    vm.define_class(mixlib, "ShellOut", ClassId::OBJECT);
    vm.define_module(ClassId::OBJECT, "ChefConfig");
    for (outer, superclass, names) in ROOTS {
        define(vm, outer, superclass, names);
    }
    for (outer, superclass, names) in TABLE {
        let outer =
            if outer.is_empty() { "Chef::Exceptions".to_string() } else { format!("Chef::Exceptions::{outer}") };
        define(vm, &outer, superclass, names);
    }
    for (name, of) in [
        ("ConfigurationError", "ChefConfig::ConfigurationError"),
        ("NoProviderAvailable", "Chef::Exceptions::ProviderNotFound"),
        ("ShellCommandFailed", "Mixlib::ShellOut::ShellCommandFailed"),
    ] {
        if let Some(id) = vm.class_named(of) {
            vm.const_set(exceptions, Symbol::intern_static(name), Value::Class(id));
        }
    }
    for (path, table) in CONSTRUCTORS {
        if let Some(id) = vm.class_named(&format!("Chef::Exceptions::{path}")) {
            vm.define_methods(id, table);
        }
    }
    for (path, names) in READERS {
        if let Some(id) = vm.class_named(&format!("Chef::Exceptions::{path}")) {
            for name in names.split(' ') {
                let ivar = Symbol::intern(&format!("@{name}"));
                let name = Symbol::intern_static(name);
                let method = Method { name, owner: id, visibility: Visibility::Public, body: MethodBody::Reader(ivar) };
                vm.add_method(id, name, method);
            }
        }
    }
    crate::run::process_mut(vm).classes.exceptions = Some(exceptions);
}

fn define(vm: &mut Vm, outer: &str, superclass: &str, names: &'static str) {
    let (Some(outer), Some(superclass)) = (vm.class_named(outer), vm.class_named(superclass)) else { return };
    for name in names.split_ascii_whitespace() {
        vm.define_class(outer, name, superclass);
    }
}

static READERS: &[(&str, &str)] = &[
    ("MetadataNotFound", "install_path cookbook_name"),
    ("MissingRole", "expansion"),
    ("RunFailedWrappingError", "wrapped_errors"),
    ("CookbookVersionSelection::InvalidRunListItems", "non_existent_cookbooks cookbooks_with_no_matching_versions"),
    (
        "CookbookVersionSelection::UnsatisfiableRunListItem",
        "run_list_item non_existent_cookbooks most_constrained_cookbooks",
    ),
];

const fn init(function: rchef_ruby::embed::method::NativeFn, arity: u8) -> MethodDef {
    def("initialize", function, arity).private()
}

static CONSTRUCTORS: &[(&str, &[MethodDef])] = &[
    ("CannotDetermineNodeName", &[init(cannot_determine_node_name, 0)]),
    ("BootstrapCommandInputError", &[init(bootstrap_command_input, 0)]),
    ("NoSuchResourceType", &[init(no_such_resource_type, 2)]),
    ("FileContentStagingError", &[init(file_content_staging, 1)]),
    ("MetadataNotFound", &[init(metadata_not_found, 2)]),
    ("ImmutableAttributeModification", &[init(immutable, 0)]),
    ("DeprecatedFeatureError", &[init(deprecated_feature, 1)]),
    ("MissingRole", &[opt("initialize", missing_role, 0, 1).private()]),
    ("Secret::InvalidFetcherService", &[init(invalid_fetcher, 2)]),
    ("Secret::MissingFetcher", &[init(missing_fetcher, 1)]),
    ("Secret::Azure::IdentityNotFound", &[init(azure_identity, 0)]),
    (
        "MultipleFailures",
        &[
            def("message", failures_message, 0),
            def("client_run_failure", client_run_failure, 1),
            def("notification_failure", notification_failure, 1),
            def("raise!", failures_raise, 0),
            def("empty?", failures_empty, 0),
            def("for_raise", failures_for_raise, 0),
        ],
    ),
    (
        "CookbookVersionSelection::InvalidRunListItems",
        &[init(invalid_run_list_items, 3), any("to_json", invalid_items_json)],
    ),
    (
        "CookbookVersionSelection::UnsatisfiableRunListItem",
        &[init(unsatisfiable_item, 4), any("to_json", unsatisfiable_json)],
    ),
    ("ContentLengthMismatch", &[init(content_length, 2)]),
    ("UnsupportedPlatform", &[init(unsupported_platform, 1)]),
    ("RunLockTimeout", &[init(run_lock_timeout, 2)]),
    ("ChecksumMismatch", &[init(checksum_mismatch, 2)]),
    ("AmbiguousProviderResolution", &[init(ambiguous_provider, 2)]),
    ("RunFailedWrappingError", &[any("initialize", run_failed).private(), def("fill_backtrace", fill_backtrace, 0)]),
    ("PIDFileLockfileMatch", &[init(pid_lockfile, 0)]),
    ("CookbookChefVersionMismatch", &[any("initialize", chef_version_mismatch).private()]),
    ("CookbookOhaiVersionMismatch", &[any("initialize", ohai_version_mismatch).private()]),
    ("MultipleDscResourcesFound", &[init(multiple_dsc, 1)]),
    ("GemRequirementConflict", &[init(gem_conflict, 4)]),
    ("UnifiedModeImmediateSubscriptionEarlierResource", &[init(immediate_earlier, 1)]),
    ("UnifiedModeBeforeSubscriptionEarlierResource", &[init(before_earlier, 1)]),
];

fn say(vm: &mut Vm, this: &Value, text: impl AsRef<str>) -> Res {
    if let Some(data) = vm.data_mut::<ExceptionData>(this) {
        data.message = Value::str(text);
    }
    Ok(Value::Nil)
}
fn shown_list(vm: &mut Vm, list: &Value, with: &str) -> Res<String> {
    let joined = vm.call_name(list, "join", &[Value::str(with)])?;
    vm.to_s_text(&joined)
}
fn asked(vm: &mut Vm, of: &Value, name: &str) -> Res<String> {
    let answer = vm.call_name(of, name, &[])?;
    vm.to_s_text(&answer)
}
fn at(vm: &mut Vm, of: &Value, key: &str) -> Res {
    vm.call_name(of, "[]", &[Value::str(key)])
}

fn cannot_determine_node_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    say(vm, this, "Unable to determine node name: configure node_name or configure the system's hostname and fqdn")
}
fn bootstrap_command_input(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    say(vm, this, "You cannot pass both --json-attributes and --json-attribute-file. Please pass one or none.")
}
fn no_such_resource_type(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let name = vm.to_s_text(args.at(0))?;
    let (platform, version) = (at(vm, args.at(1), "platform")?, at(vm, args.at(1), "platform_version")?);
    let (platform, version) = (vm.to_s_text(&platform)?, vm.to_s_text(&version)?);
    say(vm, this, format!("Cannot find a resource for {name} on {platform} version {version} with target_mode? false"))
}
fn file_content_staging(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let errors = shown_list(vm, args.at(0), "\\n")?;
    say(vm, this, format!("Staging tempfile can not be created during file deployment.\n Errors: {errors}!"))
}
fn metadata_not_found(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    keep(vm, this, &["@install_path", "@cookbook_name"], args.pos);
    let (path, name) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    say(vm, this, format!("No metadata.rb or metadata.json found for cookbook {name} in {path}"))
}
fn immutable(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    say(vm, this, READ_ONLY)
}
fn deprecated_feature(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let message = vm.to_s_text(args.at(0))?;
    say(vm, this, format!("{message} (raising error due to treat_deprecation_warnings_as_errors being set)"))
}
fn missing_role(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.ivar_set(this, Symbol::intern_static("@expansion"), Value::Nil);
    match args.get(0) {
        None => Ok(Value::Nil),
        Some(message @ Value::Str(_)) => {
            let message = vm.to_s_text(message)?;
            say(vm, this, message)
        }
        Some(expansion) => {
            let name = Symbol::intern_static("errors");
            if !vm.respond_to(expansion, name, false)? {
                return Ok(Value::Nil);
            }
            vm.ivar_set(this, Symbol::intern_static("@expansion"), expansion.clone());
            let errors = vm.call(expansion, name, &[])?;
            let missing = shown_list(vm, &errors, ", ")?;
            say(vm, this, format!("The expanded run list includes nonexistent roles: {missing}"))
        }
    }
}
fn invalid_fetcher(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (given, names) = (vm.to_s_text(args.at(0))?, shown_list(vm, args.at(1), " :")?);
    say(vm, this, format!("{given} is not a supported secrets service.  Supported services are: :{names}"))
}
fn missing_fetcher(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let names = shown_list(vm, args.at(0), " :")?;
    say(vm, this, format!("No secret service provided. Supported services are: :{names}"))
}
fn azure_identity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = "The managed identity could not be found. This could mean one of the following things:\n\n  \
        1. The VM has no system or user assigned identities.\n  \
        2. The managed identity object_id or client_id that was specified is not assigned to the VM.\n";
    say(vm, this, text)
}

fn keep(vm: &mut Vm, this: &Value, names: &[&'static str], values: &[Value]) {
    for (name, value) in names.iter().zip(values) {
        vm.ivar_set(this, Symbol::intern_static(name), value.clone());
    }
}

/// The Array of [location, exception] pairs, created on first use.
fn failures(vm: &mut Vm, this: &Value) -> Value {
    let name = Symbol::intern_static("@all_failures");
    match vm.ivar_get(this, name) {
        Some(list @ Value::Array(_)) => list,
        _ => {
            let list = Value::array(Vec::new());
            vm.ivar_set(this, name, list.clone());
            list
        }
    }
}
fn failure_list(vm: &mut Vm, this: &Value) -> Vec<(Value, Value)> {
    let Value::Array(list) = failures(vm, this) else { return Vec::new() };
    let pairs = list.get(vm).items.iter();
    pairs
        .filter_map(|pair| if let Value::Array(pair) = pair { Some(pair.get(vm).items.clone()) } else { None })
        .filter_map(|pair| <[Value; 2]>::try_from(pair).ok())
        .map(|[location, error]| (location, error))
        .collect()
}
fn failures_message(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut message = "Multiple failures occurred:\n".to_string();
    for (location, error) in failure_list(vm, this) {
        let (class, location, error) =
            (vm.class_name_of(&error), vm.to_s_text(&location)?, asked(vm, &error, "message")?);
        message.push_str(&format!("* {class} occurred in {location}: {error}\n"));
    }
    Ok(Value::str(message))
}
fn add_failure(vm: &mut Vm, this: &Value, location: &str, error: &Value) -> Res {
    let list = failures(vm, this);
    let pair = Value::array(vec![Value::str(location), error.clone()]);
    vm.call_name(&list, "<<", &[pair])
}
fn client_run_failure(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let trace = vm.call_name(args.at(0), "backtrace", &[])?;
    vm.call_name(this, "set_backtrace", &[trace])?;
    add_failure(vm, this, "Chef Infra Client run", args.at(0))
}
fn notification_failure(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    add_failure(vm, this, "delayed notification", args.at(0))
}
fn failures_empty(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(failure_list(vm, this).is_empty()))
}
fn failures_for_raise(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let mut list = failure_list(vm, this);
    Ok(if list.len() == 1 { list.remove(0).1 } else { this.clone() })
}
fn failures_raise(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    if failure_list(vm, this).is_empty() {
        return Ok(Value::Nil);
    }
    let error = failures_for_raise(vm, this, Args::none())?;
    vm.call_name(this, "raise", &[error])
}

fn invalid_run_list_items(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    keep(vm, this, &["@non_existent_cookbooks", "@cookbooks_with_no_matching_versions"], &args.pos[1..]);
    let message = vm.to_s_text(args.at(0))?;
    say(vm, this, message)
}
fn unsatisfiable_item(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    keep(vm, this, &["@run_list_item", "@non_existent_cookbooks", "@most_constrained_cookbooks"], &args.pos[1..]);
    let message = vm.to_s_text(args.at(0))?;
    say(vm, this, message)
}
fn as_json(vm: &mut Vm, this: &Value, fields: &[(&str, &str)], args: Args<'_>) -> Res {
    let mut pairs = vec![(Value::str("message"), vm.call_name(this, "message", &[])?)];
    for (key, method) in fields {
        pairs.push((Value::str(key), vm.call_name(this, method, &[])?));
    }
    let hash = vm.new_hash(pairs)?;
    vm.call_name(&hash, "to_json", args.pos)
}
fn invalid_items_json(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let fields = [
        ("non_existent_cookbooks", "non_existent_cookbooks"),
        ("cookbooks_with_no_versions", "cookbooks_with_no_matching_versions"),
    ];
    as_json(vm, this, &fields, args)
}
fn unsatisfiable_json(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let fields = [
        ("unsatisfiable_run_list_item", "run_list_item"),
        ("non_existent_cookbooks", "non_existent_cookbooks"),
        ("most_constrained_cookbooks", "most_constrained_cookbooks"),
    ];
    as_json(vm, this, &fields, args)
}

fn content_length(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (body, header) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    let text = format!(
        "Response body length {body} does not match HTTP Content-Length header {header}.\n\
        This error is most often caused by network issues (proxies, etc) outside of chef-client.\n"
    );
    say(vm, this, text)
}
fn unsupported_platform(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let platform = vm.to_s_text(args.at(0))?;
    say(vm, this, format!("This functionality is not supported on platform {platform}."))
}
fn run_lock_timeout(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (seconds, pid) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    say(vm, this, format!("Unable to acquire lock. Waited {seconds} seconds for {pid} to release."))
}
fn checksum_mismatch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (wanted, found) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    say(vm, this, format!("Checksum on resource ({wanted}...) does not match checksum on content ({found}...)"))
}
fn ambiguous_provider(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (name, classes) = (asked(vm, args.at(0), "resource_name")?, vm.to_s_text(args.at(1))?);
    say(vm, this, format!("Found more than one provider for {name} resource: {classes}"))
}
fn run_failed(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let errors: Vec<Value> = args.pos.iter().filter(|error| !error.is_nil()).cloned().collect();
    let count = errors.len();
    vm.ivar_set(this, Symbol::intern_static("@wrapped_errors"), Value::array(errors));
    say(vm, this, format!("Found {count} errors, they are stored in the backtrace"))
}
fn fill_backtrace(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let errors = match vm.ivar_get(this, Symbol::intern_static("@wrapped_errors")) {
        Some(Value::Array(list)) => list.get(vm).items.clone(),
        _ => Vec::new(),
    };
    let mut lines = Vec::new();
    for (index, error) in errors.iter().enumerate() {
        let (class, message) = (vm.class_name_of(error), asked(vm, error, "message")?);
        lines.push(Value::str(format!("{}) {class} -  {message}", index + 1)));
        if let Value::Array(trace) = vm.call_name(error, "backtrace", &[])? {
            lines.extend(trace.get(vm).items.iter().cloned());
        }
        if index + 1 < errors.len() {
            lines.push(Value::str(""));
        }
    }
    vm.call_name(this, "set_backtrace", &[Value::array(lines)])
}
fn pid_lockfile(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    say(
        vm,
        this,
        "PID file and lockfile are not permitted to match. Specify a different location with --pid or --lockfile",
    )
}
fn version_mismatch(vm: &mut Vm, this: &Value, args: Args<'_>, product: &str) -> Res {
    if args.len() < 3 {
        return Err(vm.arity_error(args.len(), "3+"));
    }
    let (running, name, version) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?, vm.to_s_text(args.at(2))?);
    let mut constraints = Vec::new();
    for constraint in &args.pos[3..] {
        let requirement = vm.call_name(constraint, "requirement", &[])?;
        let list = vm.call_name(&requirement, "as_list", &[])?;
        constraints.push(vm.to_s_text(&list)?);
    }
    let constraints = constraints.join(", ");
    say(
        vm,
        this,
        format!(
            "Cookbook '{name}' version '{version}' depends on {product} version {constraints}, but the running {product} version is {running}"
        ),
    )
}
fn chef_version_mismatch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    version_mismatch(vm, this, args, "Chef Infra Client")
}
fn ohai_version_mismatch(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    version_mismatch(vm, this, args, "ohai")
}
fn multiple_dsc(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let Value::Array(list) = args.at(0) else { return Err(vm.type_error("an Array of resources is needed")) };
    let (mut name, mut versions) = (String::new(), Vec::new());
    for (index, found) in list.get(vm).items.clone().iter().enumerate() {
        let module = at(vm, found, "Module")?;
        if index == 0 {
            let value = at(vm, &module, "Name")?;
            name = vm.to_s_text(&value)?;
        }
        let version = at(vm, &module, "Version")?;
        let version = vm.to_s_text(&version)?;
        if !versions.contains(&version) {
            versions.push(version);
        }
    }
    say(vm, this, format!("Found multiple resources matching {name}:\n{}", versions.join("\n")))
}
fn gem_conflict(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (gem, option) = (vm.to_s_text(args.at(0))?, vm.inspect(args.at(1))?);
    let (first, second) = (vm.inspect(args.at(2))?, vm.inspect(args.at(3))?);
    say(
        vm,
        this,
        format!("Conflicting requirements for gem '{gem}': Both {first} and {second} given for option {option}"),
    )
}
fn subscription(vm: &mut Vm, this: &Value, notification: &Value, timing: &str) -> Res {
    let (resource, sender) = (asked(vm, notification, "resource")?, asked(vm, notification, "notifying_resource")?);
    let text = format!(
        "{timing} subscription from {resource} resource cannot be setup to {sender} resource, which has already fired while in unified mode"
    );
    say(vm, this, text)
}
fn immediate_earlier(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    subscription(vm, this, args.at(0), "immediate")
}
fn before_earlier(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    subscription(vm, this, args.at(0), "before")
}
