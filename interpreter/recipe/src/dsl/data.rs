//! `data_bag`, `data_bag_item`, `search`, `chef_vault_item` and their classes (SPEC-compile 3.2), which read the chef-repo.

use crate::data::ahead::{self, Index};
use crate::data::json_value;
use crate::data::role;
use crate::data::{crypt, repo};
use crate::node::mash;
use crate::run::{Subject, about, asked, chef_error, run_mut};
use crate::secrets;
use rchef_host::compose;
use rchef_model::role::Kind;
use rchef_model::search::{self, Corpus, Documents, Query};
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any, def, opt, sym};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

fn name(text: &'static str) -> Symbol {
    Symbol::intern_static(text)
}
fn class(vm: &Vm, path: &str) -> ClassId {
    vm.class_named(path).unwrap_or(ClassId::OBJECT)
}

/// The exception for a refused request: `Net::HTTPClientException` with a response, e.g. `404 "Not Found"`.
pub fn refused(vm: &mut Vm, code: &str, text: &str, answer: &str) -> rchef_ruby::Error {
    match refusal(vm, code, text, answer) {
        Ok(exception) => crate::run::raised(vm, exception),
        Err(error) => error,
    }
}
fn refusal(vm: &mut Vm, code: &str, text: &str, answer: &str) -> Res {
    rchef_ruby::embed::load::require(vm, "net/http")?;
    let base = Value::Class(class(vm, "Net::HTTPResponse"));
    let kind = vm.call_name(&base, "__send__", &[Value::sym("response_class"), Value::str(code)])?;
    let response = vm.call(&kind, sym::NEW, &[Value::str("1.1"), Value::str(code), Value::str(text)])?;
    let body = serde_json::json!({ "error": [answer] });
    let body = serde_json::to_string_pretty(&body).map(|text| format!("{text}\n")).unwrap_or_default();
    vm.ivar_set(&response, name("@body"), Value::str(body));
    vm.ivar_set(&response, name("@read"), Value::True);
    let exception = Value::Class(class(vm, "Net::HTTPClientException"));
    vm.call(&exception, sym::NEW, &[Value::str(format!("{code} \"{text}\"")), response])
}
/// The exception for a run list that the server cannot solve; the reason is only in the response.
pub fn unsolvable(vm: &mut Vm, answer: &str) -> rchef_ruby::Error {
    let error = refused(vm, "412", "Precondition Failed", answer);
    about(vm, error, Subject::Versions)
}
fn not_found(vm: &mut Vm, bag: String, item: Option<String>) -> rchef_ruby::Error {
    let path = item.as_ref().map_or_else(|| bag.clone(), |item| format!("{bag}/{item}"));
    let error = refused(vm, "404", "Not Found", &format!("Object not found: chefzero://localhost:1/data/{path}"));
    about(vm, error, Subject::Data { bag, item })
}

fn valid(text: &str, extra: &str) -> bool {
    !text.is_empty() && text.chars().all(|char| char.is_alphanumeric() || extra.contains(char))
}
/// Search indexes that are not data bags.
const RESERVED: [&str; 4] = ["node", "role", "environment", "client"];
fn check_bag(vm: &mut Vm, bag: &Value) -> Res<String> {
    let text = vm.to_s_text(bag)?;
    let text = match valid(&text, ".-_") {
        true if !RESERVED.contains(&text.as_str()) => return Ok(text),
        true => "may not have a name matching /^(node|role|environment|client)$/",
        false => "must have a name matching /^[\\.\\-[:alnum:]_]+$/",
    };
    let shown = vm.inspect(bag)?;
    Err(chef_error(vm, "InvalidDataBagName", format!("DataBags {text}, you gave {shown}")))
}
fn check_id(vm: &mut Vm, id: &Value) -> Res<String> {
    let text = if id.is_nil() { String::new() } else { vm.to_s_text(id)? };
    if valid(&text, ".-_") {
        return Ok(text);
    }
    let shown = vm.inspect(id)?;
    Err(chef_error(
        vm,
        "InvalidDataBagItemID",
        format!("Data Bag items must have an id matching /^[\\.\\-[:alnum:]_]+$/, you gave: {shown}"),
    ))
}
fn validate_id(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    check_id(vm, args.at(0))?;
    Ok(Value::Nil)
}

// Chef::DataBag

fn bag_ids(vm: &mut Vm, bag: &Value) -> Res<Vec<String>> {
    let bag = check_bag(vm, bag)?;
    let found = repo::bag(vm, &bag)?;
    asked(vm, "data_bag", bag.clone(), found.as_ref().map_or(0, Vec::len));
    found.ok_or_else(|| not_found(vm, bag, None))
}

// Chef::DataBagItem

fn item_of(vm: &mut Vm, bag: &str, data: &Json) -> Res {
    let raw = json_value(vm, data)?;
    let raw = mash::convert(vm, &raw)?;
    let item = Value::object(class(vm, "Chef::DataBagItem"));
    vm.ivar_set(&item, name("@data_bag"), Value::str(bag));
    vm.ivar_set(&item, name("@raw_data"), raw);
    Ok(item)
}
fn item_initialize(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let raw = mash::new(vm, Vec::new())?;
    vm.ivar_set(this, name("@raw_data"), raw);
    Ok(Value::Nil)
}
fn item_from_hash(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let hash = vm.call(args.at(0), sym::DUP, &[])?;
    let item = vm.call(this, sym::NEW, &[])?;
    for key in ["chef_type", "json_class"] {
        vm.call(&hash, sym::DELETE, &[Value::str(key)])?;
    }
    let bag = vm.call(&hash, sym::DELETE, &[Value::str("data_bag")])?;
    vm.ivar_set(&item, name("@data_bag"), bag);
    let inner = vm.call(&hash, sym::AREF, &[Value::str("raw_data")])?;
    let raw = if inner.is_nil() { hash } else { inner };
    set_raw(vm, &item, Args::new(&[raw]))?;
    Ok(item)
}
fn raw(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(vm.ivar_get(this, name("@raw_data")).unwrap_or_default())
}
fn set_raw(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !matches!(args.at(0), Value::Hash(_)) {
        return Err(chef_error(vm, "ValidationFailed", "Data Bag Items must contain a Hash or Mash!"));
    }
    let found = mash::pairs(vm, args.at(0))?;
    let made = mash::new(vm, found)?;
    let id = vm.call(&made, sym::AREF, &[Value::str("id")])?;
    check_id(vm, &id)?;
    vm.ivar_set(this, name("@raw_data"), made.clone());
    Ok(made)
}
fn item_bag(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if let Some(given) = args.get(0).filter(|value| !value.is_nil()) {
        vm.ivar_set(this, name("@data_bag"), given.clone());
    }
    Ok(vm.ivar_get(this, name("@data_bag")).unwrap_or_default())
}
fn item_id(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let raw = raw(vm, this, args)?;
    vm.call(&raw, sym::AREF, &[Value::str("id")])
}
fn item_hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let raw = raw(vm, this, Args::none())?;
    let copy = vm.call(&raw, sym::DUP, &[])?;
    let bag = item_bag(vm, this, Args::none())?;
    let bag = Value::str(vm.to_s_text(&bag)?);
    vm.call(&copy, sym::ASET, &[Value::str("chef_type"), Value::str("data_bag_item")])?;
    vm.call(&copy, sym::ASET, &[Value::str("data_bag"), bag])?;
    Ok(copy)
}
fn item_to_s(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let id = item_id(vm, this, Args::none())?;
    Ok(Value::str(format!("data_bag_item[{}]", vm.to_s_text(&id)?)))
}
fn item_inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (bag, id, raw) =
        (item_bag(vm, this, Args::none())?, item_id(vm, this, Args::none())?, raw(vm, this, Args::none())?);
    Ok(Value::str(format!("data_bag_item[{}, {}, {}]", vm.inspect(&bag)?, vm.inspect(&id)?, vm.inspect(&raw)?)))
}
fn item_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if !vm.respond_to(args.at(0), name("data_bag"), false)? || !vm.respond_to(args.at(0), name("to_h"), false)? {
        return Ok(Value::False);
    }
    let (mine, other) = (item_hash(vm, this, Args::none())?, vm.call(args.at(0), name("to_h"), &[])?);
    vm.eq(&mine, &other).map(Value::bool)
}
/// Forwards unknown methods to the item's data.
fn item_missing(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let method = vm.to_name(args.at(0))?;
    let raw = raw(vm, this, Args::none())?;
    if !vm.respond_to(&raw, method, false)? {
        return Err(vm.no_method_error(
            this,
            method,
            args.from(1).pos,
            rchef_ruby::embed::call::CallKind::Method,
            None,
        ));
    }
    vm.call_args(&raw, method, args.from(1))
}
fn item_responds(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let method = vm.to_name(args.at(0))?;
    let raw = raw(vm, this, Args::none())?;
    vm.respond_to(&raw, method, false).map(Value::bool)
}
fn item_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let raw = raw(vm, this, Args::none())?;
    vm.call_args(&raw, sym::AREF, args)
}

static ITEM: &[MethodDef] = &[
    opt("initialize", item_initialize, 0, 1).private(),
    def("raw_data", raw, 0),
    def("raw_data=", set_raw, 1),
    opt("data_bag", item_bag, 0, 1),
    def("id", item_id, 0),
    def("to_hash", item_hash, 0),
    def("to_h", item_hash, 0),
    def("to_s", item_to_s, 0),
    def("inspect", item_inspect, 0),
    def("==", item_equal, 1),
    def("[]", item_at, 1),
];

// Chef::EncryptedDataBagItem

fn encrypted_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    vm.ivar_set(this, name("@enc_hash"), args.at(0).clone());
    secrets::remember(vm, args.at(1));
    vm.ivar_set(this, name("@secret"), args.at(1).clone());
    Ok(Value::Nil)
}
fn encrypted_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let sealed = vm.ivar_get(this, name("@enc_hash")).unwrap_or_default();
    let value = vm.call(&sealed, sym::AREF, &[args.at(0).clone()])?;
    if value.is_nil() || vm.to_s_text(args.at(0))? == "id" {
        return Ok(value);
    }
    let secret = vm.ivar_get(this, name("@secret")).unwrap_or_default();
    let secret = vm.to_s_text(&secret)?;
    let json = crate::data::to_json(vm, &value)?;
    let plain = match crypt::decrypt(&json, secret.as_bytes()) {
        Ok(crypt::Plain::Json(plain)) => json_value(vm, &plain)?,
        Ok(crypt::Plain::Yaml(text)) => {
            rchef_ruby::embed::load::require(vm, "yaml")?;
            let yaml = vm.const_get_from(ClassId::OBJECT, name("YAML"), true)?.unwrap_or_default();
            vm.call(&yaml, name("load"), &[Value::str(String::from_utf8_lossy(&text))])?
        }
        Err(failure) => return Err(undecrypted(vm, &failure)),
    };
    let key = vm.to_s_text(args.at(0))?;
    secrets::remember_decrypted_of(vm, &key, &plain);
    Ok(plain)
}
fn undecrypted(vm: &mut Vm, failure: &crypt::Failure) -> rchef_ruby::Error {
    let (kind, text) = failure.parts();
    let id = class(vm, &format!("Chef::EncryptedDataBagItem::{kind}"));
    vm.error(id, text)
}
/// `seal(format, text, secret, iv)`: the encrypted value as a Hash, with a random IV if `iv` is nil.
fn seal(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let format = vm.to_int(args.at(0))?;
    let (text, secret) = (vm.to_str(args.at(1))?, vm.to_str(args.at(2))?);
    let mut iv = vec![0; crypt::iv_length(format)];
    match args.at(3) {
        Value::Nil => vm.host.fill(&mut iv).map_err(|error| vm.host_error(&error))?,
        given => iv = vm.to_str(given)?.get(vm).bytes().to_vec(),
    }
    match crypt::encrypt(format, text.get(vm).bytes(), secret.get(vm).bytes(), &iv) {
        Ok(value) => json_value(vm, &value),
        Err(failure) => Err(undecrypted(vm, &failure)),
    }
}
/// `unseal(value, secret)`: the decrypted text.
fn unseal(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let value = crate::data::to_json(vm, args.at(0))?;
    let secret = vm.to_str(args.at(1))?;
    match crypt::unseal(&value, secret.get(vm).bytes()) {
        Ok(text) => Ok(Value::str(String::from_utf8_lossy(&text))),
        Err(failure) => Err(undecrypted(vm, &failure)),
    }
}
/// `keys_of(format)`: the keys of an encrypted value.
fn keys_of(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let keys = crypt::keys(vm.to_int(args.at(0))?).unwrap_or_default();
    Ok(Value::array(keys.iter().map(Value::str).collect()))
}
fn remember_decrypted(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    secrets::remember_decrypted(vm, args.at(0));
    Ok(args.at(0).clone())
}
fn encrypted_set(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let text = format!("assignment not supported for {}", vm.class_name_of(this));
    Err(vm.argument_error(text))
}
fn encrypted_hash(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let sealed = vm.ivar_get(this, name("@enc_hash")).unwrap_or_default();
    let keys = vm.call_name(&sealed, "keys", &[])?;
    let mut pairs = Vec::new();
    for key in vm.to_array(&keys)? {
        let value = encrypted_at(vm, this, Args::new(std::slice::from_ref(&key)))?;
        pairs.push((key, value));
    }
    vm.new_hash(pairs)
}
const DEFAULT_SECRET: &str = "/etc/chef/encrypted_data_bag_secret";
fn load_secret(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let path = match args.get(0).filter(|value| !value.is_nil()) {
        Some(given) => Some(vm.to_s_text(given)?),
        // the setting only has a default if the file exists
        None => repo::setting(vm, "encrypted_data_bag_secret")?
            .filter(|path| path != DEFAULT_SECRET || compose::exists(&*vm.host.clone(), path.as_bytes())),
    };
    let Some(path) = path else {
        return Err(vm.argument_error(format!("No secret specified and no secret found at {DEFAULT_SECRET}")));
    };
    if path.contains("://") {
        return Err(vm.argument_error(format!("Remote key not available from '{path}'")));
    }
    let host = vm.host.clone();
    if !compose::exists(&*host, path.as_bytes()) {
        return Err(vm.errno(2, Some(&format!("file not found '{path}'"))));
    }
    let bytes = compose::read_file(&*host, path.as_bytes()).map_err(|error| vm.host_error(&error))?;
    let text = String::from_utf8_lossy(&bytes).trim().to_string();
    if text.is_empty() {
        return Err(vm.argument_error(format!("invalid zero length secret in '{path}'")));
    }
    let secret = Value::str(text);
    secrets::remember(vm, &secret);
    Ok(secret)
}
fn encrypted_load(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let items = Value::Class(class(vm, "Chef::DataBagItem"));
    let item = vm.call_name(&items, "load", &[args.at(0).clone(), args.at(1).clone()])?;
    let secret = match args.get(2).filter(|value| value.truthy()) {
        Some(given) => given.clone(),
        None => load_secret(vm, this, Args::none())?,
    };
    vm.call(this, sym::NEW, &[item, secret])
}
static ENCRYPTED: &[MethodDef] = &[
    def("initialize", encrypted_initialize, 2).private(),
    def("[]", encrypted_at, 1),
    def("[]=", encrypted_set, 2),
    def("to_h", encrypted_hash, 0),
    def("to_hash", encrypted_hash, 0),
];

// The DSL

fn log_error(vm: &mut Vm, text: String) -> Res<()> {
    let logger = crate::chef_class::logger_value(vm)?;
    vm.call_name(&logger, "error", &[Value::str(text)])?;
    Ok(())
}
fn data_bag(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    match bag_ids(vm, args.at(0)) {
        Ok(ids) => Ok(Value::array(ids.into_iter().map(Value::str).collect())),
        Err(error) => {
            let shown = vm.inspect(args.at(0))?;
            log_error(vm, format!("Failed to list data bag items in data bag: {shown}"))?;
            Err(error)
        }
    }
}
fn data_bag_item(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = load_item(vm, this, args);
    if found.is_err() {
        let (bag, id) = (vm.inspect(args.at(0))?, vm.inspect(args.at(1))?);
        log_error(vm, format!("Failed to load data bag item: {bag} {id}"))?;
    }
    found
}
fn load_item(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (bag, id) = (check_bag(vm, args.at(0))?, check_id(vm, args.at(1))?);
    let found = repo::item(vm, &bag, &id)?;
    asked(vm, "data_bag_item", format!("{bag} {id}"), usize::from(found.is_some()));
    let Some(data) = found else { return Err(not_found(vm, bag, Some(id))) };
    let item = item_of(vm, &bag, &data)?;
    let mut rest = data.as_object().into_iter().flatten().filter(|(key, _)| *key != "id").peekable();
    if rest.peek().is_none() || !rest.all(|(_, value)| crypt::looks_encrypted(value)) {
        return Ok(item);
    }
    let secret = match args.get(2).filter(|value| value.truthy()) {
        Some(given) => given.clone(),
        None => match load_secret(vm, this, Args::none()) {
            Ok(secret) => secret,
            Err(error) => {
                log_error(vm, format!("Failed to load secret for encrypted data bag item: {bag:?} {id:?}"))?;
                return Err(error);
            }
        },
    };
    let raw = raw(vm, &item, Args::none())?;
    let id = class(vm, "Chef::EncryptedDataBagItem");
    vm.call(&Value::Class(id), sym::NEW, &[raw, secret])
}
fn search(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let query = Value::object(class(vm, "Chef::Search::Query"));
    if args.block.is_some() || args.pos.len() >= 4 {
        return query_search(vm, &query, args);
    }
    let (rows, _, _) = rows(vm, args)?;
    Ok(Value::array(rows))
}
fn tagged(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let node = run_mut(vm).node.clone();
    vm.call_args(&node, name("tagged?"), args)
}
/// An item of a vault as `ChefVault::Item` has it, which also tells what is one.
fn vault_item(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (bag, id) = (vm.to_s_text(args.at(0))?, vm.to_s_text(args.at(1))?);
    rchef_ruby::embed::load::require(vm, "chef-vault")?;
    let class = vm.run_string(b"ChefVault::Item", "<internal:chef_vault_item>", 1)?;
    let place = [Value::str(&bag), Value::str(&id)];
    if vm.call_name(&class, "vault?", &place)?.truthy() {
        return vm.call_name(&class, "load", &place);
    }
    let node = run_mut(vm).node.clone();
    if crate::node::read(vm, &node, &["chef-vault", "databag_fallback"])?.truthy() {
        return data_bag_item(vm, this, Args::new(args.pos));
    }
    Err(vm.runtime_error(format!(
        "Trying to load a regular data bag item {id} from {bag}, and databag_fallback is disabled"
    )))
}
fn vault(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let bag = vm.to_s_text(args.at(0))?;
    match repo::bag(vm, &bag)? {
        Some(ids) => Ok(Value::array(ids.iter().filter(|id| !id.ends_with("_keys")).map(Value::str).collect())),
        None => Err(vm.runtime_error(format!("'{bag}' is not a vault"))),
    }
}
fn vault_for_environment(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let item = vault_item(vm, this, args)?;
    let node = run_mut(vm).node.clone();
    let environment = vm.call_name(&node, "chef_environment", &[])?;
    let found = vm.call(&item, sym::AREF, &[environment])?;
    if found.truthy() { Ok(found) } else { vm.new_hash(Vec::new()) }
}
static DSL: &[MethodDef] = &[
    def("data_bag", data_bag, 1),
    opt("data_bag_item", data_bag_item, 2, 3),
    any("search", search),
    any("tagged?", tagged),
    def("chef_vault_item", vault_item, 2),
    def("chef_vault", vault, 1),
    def("chef_vault_item_for_environment", vault_for_environment, 2),
];

// Chef::Search::Query

/// The name of the node of the run, if there is one.
fn running_node(vm: &mut Vm) -> Res<Option<String>> {
    let node = run_mut(vm).node.clone();
    if node.is_nil() {
        return Ok(None);
    }
    let name = vm.call_name(&node, "name", &[])?;
    Ok(Some(vm.to_s_text(&name)?))
}
/// The saved data of a node. The node of the run exists from the start of its first run, with its name and environment only.
fn saved_node(vm: &mut Vm, id: &str) -> Res<Json> {
    if let Some(saved) = repo::json(vm, &format!("nodes/{id}.json"))? {
        return Ok(saved);
    }
    if running_node(vm)?.as_deref() != Some(id) {
        return Ok(Json::default());
    }
    let node = run_mut(vm).node.clone();
    let environment = vm.call_name(&node, "chef_environment", &[])?;
    let environment = vm.to_s_text(&environment)?;
    Ok(serde_json::json!({
        "name": id, "chef_environment": environment, "json_class": "Chef::Node", "chef_type": "node", "normal": {}, "default": {},
        "override": {}, "automatic": {}, "run_list": [],
    }))
}

/// A document found by a search.
struct Hit {
    of: Arc<Index>,
    at: usize,
}
impl Hit {
    fn matching(of: &Arc<Index>, query: &Query) -> Vec<Hit> {
        query.matching(&of.corpus).into_iter().map(|at| Hit { of: of.clone(), at }).collect()
    }
    fn id(&self) -> &str {
        &self.of.corpus.ids()[self.at]
    }
}

/// The documents of an index, each with its ID.
fn documents(vm: &mut Vm, index: &str) -> Res<Documents> {
    let mut found = Documents::default();
    match index {
        "client" => {
            for id in repo::json_names(vm, "clients") {
                found.push(&id, &repo::json(vm, &format!("clients/{id}.json"))?.unwrap_or_default());
            }
        }
        "role" | "environment" => {
            let kind = if index == "role" { Kind::Role } else { Kind::Environment };
            for id in role::all(vm, kind) {
                if let Some(document) = role::load(vm, kind, &id)? {
                    found.push(&id, document.role.json());
                }
            }
        }
        bag => {
            let Some(ids) = repo::bag(vm, bag)? else {
                asked(vm, "data_bag", bag.to_string(), 0);
                return Err(not_found(vm, bag.to_string(), None));
            };
            for id in ids {
                let mut item = repo::item(vm, bag, &id)?.unwrap_or_default();
                if let Json::Object(map) = &mut item {
                    map.insert("data_bag".into(), bag.into());
                    map.insert("chef_type".into(), "data_bag_item".into());
                }
                found.push(&id, &item);
            }
        }
    }
    Ok(found)
}
/// The documents of an index that match a query.
fn matching(vm: &mut Vm, index: &str, query: &Query) -> Res<Vec<Hit>> {
    if index != "node" {
        return Ok(Hit::matching(&Index::of(Corpus::new(vec![documents(vm, index)?])), query));
    }
    let nodes = ahead::nodes(vm)?;
    let mut found = Hit::matching(&nodes, query);
    if let Some(running) = running_node(vm)?
        && !nodes.corpus.ids().contains(&running)
    {
        let saved = saved_node(vm, &running)?;
        let one = Corpus::one(&running, &search::node(saved, &running));
        found.extend(Hit::matching(&Index::of(one), query));
    }
    Ok(found)
}
/// A found document as a Ruby object.
fn object(vm: &mut Vm, index: &str, hit: &Hit) -> Res {
    let id = hit.id();
    match index {
        "node" => {
            let node = Value::Class(class(vm, "Chef::Node"));
            let (from_hash, singleton) = (name("from_hash"), vm.class_of(&node));
            if let Some(saved) = hit.of.saved(hit.at)
                && vm.is_native_method(singleton, from_hash)
            {
                return crate::node::object::from_saved(vm, &node, saved);
            }
            let saved = saved_node(vm, id)?;
            let mut saved = json_value(vm, &saved)?;
            if vm.call(&saved, sym::AREF, &[Value::str("name")])?.is_nil() {
                saved = vm.call(&saved, sym::DUP, &[])?;
                vm.call(&saved, sym::ASET, &[Value::str("name"), Value::str(id)])?;
            }
            vm.call(&node, from_hash, &[saved])
        }
        "role" | "environment" => {
            let kind = if index == "role" { Kind::Role } else { Kind::Environment };
            role::object(vm, kind, &hit.of.corpus.document(hit.at))
        }
        "client" => json_value(vm, &hit.of.corpus.document(hit.at)),
        bag => {
            let item = repo::item(vm, bag, id)?.unwrap_or_default();
            item_of(vm, bag, &item)
        }
    }
}
fn option(vm: &mut Vm, options: Option<&Value>, key: &'static str) -> Res<Option<Value>> {
    let Some(hash @ Value::Hash(_)) = options else { return Ok(None) };
    let value = vm.call(hash, sym::AREF, &[Value::sym(key)])?;
    Ok(Some(value).filter(|value| !value.is_nil()))
}
/// The rows, start and total of a search.
fn rows(vm: &mut Vm, args: Args<'_>) -> Res<(Vec<Value>, i64, i64)> {
    let index = match args.at(0) {
        Value::Str(_) | Value::Sym(_) => vm.to_s_text(args.at(0))?,
        other => {
            let shown = vm.inspect(other)?;
            return Err(vm.argument_error(format!("Invalid search object type {shown} ({}), must be a String or Symbol.Usage: search(:node, QUERY[, OPTIONAL_ARGS])`", vm.class_name_of(other))));
        }
    };
    let text = match args.get(1).filter(|value| matches!(value, Value::Str(_) | Value::Sym(_))) {
        Some(given) => vm.to_s_text(given)?,
        None => "*:*".into(),
    };
    let options = args.pos.iter().rev().find(|value| matches!(value, Value::Hash(_))).cloned();
    let plain =
        |index: usize| args.get(index).filter(|value| !value.is_nil() && !matches!(value, Value::Hash(_))).cloned();
    let sort = option(vm, options.as_ref(), "sort")?.or(plain(2));
    let start = option(vm, options.as_ref(), "start")?.or(plain(3));
    let limit = option(vm, options.as_ref(), "rows")?.or(plain(4));
    let filter = option(vm, options.as_ref(), "filter_result")?;
    let query = Query::parse(&text).map_err(|reason| {
        let error = refused(vm, "400", "Bad Request", &format!("invalid search query: '{text}'"));
        about(vm, error, Subject::Query(reason))
    })?;
    let given = run_mut(vm).answers.iter().find(|(of, what, _)| *of == index && *what == text);
    let answers: Option<Vec<(String, Json)>> = given
        .map(|(_, _, found)| found.clone())
        .map(|objects| objects.into_iter().enumerate().map(|(at, object)| answered(&index, at, object)).collect());
    let mut found = match &answers {
        Some(answers) => {
            let mut of = Documents::default();
            answers.iter().for_each(|(id, object)| of.push(id, &seen(&index, id, object)));
            let of = Index::of(Corpus::new(vec![of]));
            (0..answers.len()).map(|at| Hit { of: of.clone(), at }).collect()
        }
        None => matching(vm, &index, &query)?,
    };
    if let Some(sort) = sort {
        let sort = vm.to_s_text(&sort)?;
        let (field, order) = sort.split_once(' ').unwrap_or((&sort, "asc"));
        if field != search::ID {
            found.sort_by_cached_key(|hit| hit.of.corpus.first(hit.at, field));
        }
        if order.trim().eq_ignore_ascii_case("desc") {
            found.reverse();
        }
    }
    let total = found.len() as i64;
    asked(vm, "search", format!("{index} {text}"), found.len());
    let number =
        |value: Option<Value>| if let Some(Value::Int(number)) = value { usize::try_from(number).ok() } else { None };
    let start = number(start).unwrap_or(0);
    let mut rows = Vec::new();
    for hit in found.into_iter().skip(start).take(number(limit).unwrap_or(usize::MAX)) {
        let Some(filter) = &filter else {
            rows.push(match answers.as_ref().and_then(|answers| answers.get(hit.at)) {
                Some((_, document)) => answer(vm, &index, document, &hit)?,
                None => object(vm, &index, &hit)?,
            });
            continue;
        };
        let mut pairs = Vec::new();
        for (key, path) in mash::pairs(vm, filter)? {
            let mut keys = Vec::new();
            for part in vm.to_array(&path)? {
                keys.push(vm.to_s_text(&part)?);
            }
            let value = hit.of.corpus.at_path(hit.at, &keys).unwrap_or_default();
            let key = vm.to_s_text(&key)?;
            pairs.push((Value::str(key), json_value(vm, &value)?));
        }
        rows.push(vm.new_hash(pairs)?);
    }
    Ok((rows, start as i64, total))
}
/// An object given as a search result, with its name. If a node has no attribute levels, its attributes are automatic ones.
fn answered(index: &str, at: usize, mut object: Json) -> (String, Json) {
    const LEVELS: [&str; 4] = ["default", "normal", "override", "automatic"];
    let name = ["name", "id"].iter().find_map(|key| object[*key].as_str());
    let name = name.map_or_else(|| format!("{index}-{}", at + 1), str::to_string);
    if index == "node" {
        if !LEVELS.iter().any(|level| object.get(level).is_some()) {
            let own = |key: &str| object.get(key).cloned();
            let (environment, run_list) = (own("chef_environment"), own("run_list"));
            object = serde_json::json!({ "automatic": object });
            for (key, value) in [("chef_environment", environment), ("run_list", run_list)] {
                if let Some(value) = value {
                    object[key] = value;
                }
            }
        }
        object["name"] = name.as_str().into();
    }
    (name, object)
}
/// A given object in the form that is searched: a node in the form of a saved one.
fn seen<'a>(index: &str, id: &str, object: &'a Json) -> Cow<'a, Json> {
    if index == "node" { Cow::Owned(search::node(object.clone(), id)) } else { Cow::Borrowed(object) }
}
/// A given object as a Ruby object.
fn answer(vm: &mut Vm, index: &str, document: &Json, hit: &Hit) -> Res {
    match index {
        "node" => {
            let saved = json_value(vm, document)?;
            let node = class(vm, "Chef::Node");
            vm.call_name(&Value::Class(node), "from_hash", &[saved])
        }
        "role" | "environment" | "client" => object(vm, index, hit),
        bag => item_of(vm, bag, document),
    }
}
fn query_search(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (rows, start, total) = rows(vm, args)?;
    match args.block {
        Some(block) => {
            for row in rows {
                vm.yield1(block, row)?;
            }
            Ok(Value::True)
        }
        None => Ok(Value::array(vec![Value::array(rows), Value::Int(start), Value::Int(total)])),
    }
}

/// Registers the classes and the methods of the universal DSL.
pub fn boot(vm: &mut Vm, chef: ClassId, universal: ClassId) -> Res<()> {
    vm.define_methods(universal, DSL);
    vm.define_class(chef, "DataBag", ClassId::OBJECT);
    let item = vm.define_class(chef, "DataBagItem", ClassId::OBJECT);
    static ITEM_CLASS: &[MethodDef] = &[def("from_hash", item_from_hash, 1), def("validate_id!", validate_id, 1)];
    vm.define_singleton_methods(item, ITEM_CLASS);
    vm.define_methods(item, ITEM);
    vm.define_closure(item, sym::METHOD_MISSING, Arity::ANY, Rc::new(item_missing));
    vm.define_closure(item, name("respond_to_missing?"), Arity::ANY, Rc::new(item_responds));
    let encrypted = vm.define_class(chef, "EncryptedDataBagItem", ClassId::OBJECT);
    static ENCRYPTED_CLASS: &[MethodDef] = &[
        opt("load", encrypted_load, 2, 3),
        opt("load_secret", load_secret, 0, 1),
        def("remember", secrets::remembered, 1),
        def("shown", secrets::masked, 1),
        def("remember_decrypted", remember_decrypted, 1),
        def("seal", seal, 4),
        def("unseal", unseal, 2),
        def("keys_of", keys_of, 1),
    ];
    vm.define_singleton_methods(encrypted, ENCRYPTED_CLASS);
    vm.define_methods(encrypted, ENCRYPTED);
    for failure in [
        "DecryptionFailure",
        "UnsupportedEncryptedDataBagItemFormat",
        "UnsupportedCipher",
        "UnacceptableEncryptedDataBagItemFormat",
        "EncryptedDataBagRequirementsFailure",
    ] {
        vm.define_class(encrypted, failure, ClassId::STANDARD_ERROR);
    }
    let search = vm.define_class(chef, "Search", ClassId::OBJECT);
    let query = vm.define_class(search, "Query", ClassId::OBJECT);
    static QUERY: &[MethodDef] = &[any("search", query_search)];
    vm.define_methods(query, QUERY);
    Ok(())
}
