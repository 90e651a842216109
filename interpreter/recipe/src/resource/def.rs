//! Static descriptions of resources that Chef ships: what `providers` registers, one [`ResourceDef`] a resource.
//!
//! A description is data: name, properties with types and defaults, actions, platform filters, documentation. The class under `Chef::Resource` is made from it.
//!
//! ```ignore
//! pub static DEF: ResourceDef = ResourceDef {
//!     name: "link",
//!     class: "Link",
//!     doc: "Makes symbolic and hard links.",
//!     provides: &[Provides::always("link")],
//!     actions: &["create", "delete"],
//!     default_action: &["create"],
//!     properties: &[
//!         prop("target_file", &[Str]).name_property().identity().coerce(path_arg).doc("The link itself."),
//!         prop("to", &[Str]).doc("What the link points at."),
//!         prop("link_type", &[Str, Sym]).equal_to(&[LitSym("symbolic"), LitSym("hard")]).coerce(to_sym).default(LitSym("symbolic")),
//!     ],
//!     ..ResourceDef::DEFAULT
//! };
//! ```

use rchef_ruby::{MethodDef, Res, Value, Vm};

/// A type or literal value that a property accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Type {
    Str,
    Sym,
    Int,
    Float,
    /// true or false
    Bool,
    Array,
    Hash,
    Nil,
    Proc,
    /// A class or module, by its full name.
    Class(&'static str),
    LitStr(&'static str),
    LitSym(&'static str),
    LitInt(i64),
    /// Only `true`.
    True,
    /// Only `false`.
    False,
    /// A String that matches this pattern.
    Matches(&'static str),
}

/// Coerces a value (Chef's `coerce:`), given the resource and the value.
pub type Coerce = fn(&mut Vm, &Value, &Value) -> Res;
/// Computes a default (Chef's `lazy`), given the resource.
pub type LazyDefault = fn(&mut Vm, &Value) -> Res;
/// An entry of Chef's `callbacks:`: message and test.
pub type Callback = (&'static str, fn(&mut Vm, &Value) -> Res<bool>);
/// Called at the end of `initialize`, with the resource and the original name argument (before it is converted to a String).
pub type Init = fn(&mut Vm, &Value, &Value) -> Res<()>;
/// Called with a resource.
pub type Hook = fn(&mut Vm, &Value) -> Res<()>;

#[derive(Clone, Copy)]
pub enum Default_ {
    /// No default: reading gives nil.
    None,
    /// A literal value (`Nil` counts as an explicit default of nil).
    Lit(Type),
    /// An empty Array or Hash.
    Empty(Type),
    /// A list of Strings.
    StrList(&'static [&'static str]),
    Lazy(LazyDefault),
}

/// The actions that need a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Required {
    No,
    /// All actions.
    Always,
    For(&'static [&'static str]),
}

#[derive(Clone, Copy)]
pub struct PropertyDef {
    pub name: &'static str,
    /// Accepted types; if empty, any value.
    pub types: &'static [Type],
    pub default: Default_,
    /// The default is the resource's name.
    pub name_property: bool,
    /// The property is part of the identity.
    pub identity: bool,
    /// The property is part of the state (Chef's default: true, except for name properties).
    pub desired_state: Option<bool>,
    pub required: Required,
    pub sensitive: bool,
    /// Part of a file that is rendered (`compile --render`): a lazy value is evaluated there.
    pub rendered: bool,
    pub coerce: Option<Coerce>,
    pub equal_to: &'static [Type],
    pub regex: Option<&'static str>,
    pub callbacks: &'static [Callback],
    /// `validation_message:`, which replaces the message of any failed validation.
    pub message: Option<&'static str>,
    /// Defined with Chef's `set_or_return`: setting nil reads, there is no reset, and types are checked as by `kind_of:`. Such an accessor is only
    /// in `properties` if `desired_state` is set.
    pub legacy: bool,
    /// `skip_docs:`, for internal properties.
    pub hidden: bool,
    pub deprecated: Option<&'static str>,
    /// The version of Chef that introduced it.
    pub introduced: &'static str,
    /// Documentation in our own words.
    pub doc: &'static str,
}

/// A property with these types.
pub const fn prop(name: &'static str, types: &'static [Type]) -> PropertyDef {
    PropertyDef {
        name,
        types,
        default: Default_::None,
        name_property: false,
        identity: false,
        desired_state: None,
        required: Required::No,
        sensitive: false,
        rendered: false,
        coerce: None,
        equal_to: &[],
        regex: None,
        callbacks: &[],
        message: None,
        legacy: false,
        hidden: false,
        deprecated: None,
        introduced: "",
        doc: "",
    }
}

impl PropertyDef {
    /// Sets a literal default.
    pub const fn default(mut self, value: Type) -> PropertyDef {
        self.default = Default_::Lit(value);
        self
    }
    /// Sets an empty Array or Hash as default (`Type::Array` or `Type::Hash`).
    pub const fn default_empty(mut self, kind: Type) -> PropertyDef {
        self.default = Default_::Empty(kind);
        self
    }
    /// Sets an Array of Strings as default.
    pub const fn default_list(mut self, items: &'static [&'static str]) -> PropertyDef {
        self.default = Default_::StrList(items);
        self
    }
    /// Sets a computed default.
    pub const fn lazy(mut self, default: LazyDefault) -> PropertyDef {
        self.default = Default_::Lazy(default);
        self
    }
    /// Makes the resource's name the default.
    pub const fn name_property(mut self) -> PropertyDef {
        self.name_property = true;
        self
    }
    /// Makes the property part of the identity.
    pub const fn identity(mut self) -> PropertyDef {
        self.identity = true;
        self
    }
    pub const fn desired_state(mut self, desired: bool) -> PropertyDef {
        self.desired_state = Some(desired);
        self
    }
    /// Makes the property required for all actions.
    pub const fn required(mut self) -> PropertyDef {
        self.required = Required::Always;
        self
    }
    /// Makes the property required for these actions.
    pub const fn required_for(mut self, actions: &'static [&'static str]) -> PropertyDef {
        self.required = Required::For(actions);
        self
    }
    pub const fn sensitive(mut self) -> PropertyDef {
        self.sensitive = true;
        self
    }
    pub const fn rendered(mut self) -> PropertyDef {
        self.rendered = true;
        self
    }
    /// Sets the coercion.
    pub const fn coerce(mut self, coerce: Coerce) -> PropertyDef {
        self.coerce = Some(coerce);
        self
    }
    pub const fn equal_to(mut self, values: &'static [Type]) -> PropertyDef {
        self.equal_to = values;
        self
    }
    pub const fn regex(mut self, source: &'static str) -> PropertyDef {
        self.regex = Some(source);
        self
    }
    pub const fn callbacks(mut self, callbacks: &'static [Callback]) -> PropertyDef {
        self.callbacks = callbacks;
        self
    }
    pub const fn message(mut self, text: &'static str) -> PropertyDef {
        self.message = Some(text);
        self
    }
    /// Marks the accessor as defined with `set_or_return`.
    pub const fn legacy(mut self) -> PropertyDef {
        self.legacy = true;
        self
    }
    pub const fn hidden(mut self) -> PropertyDef {
        self.hidden = true;
        self
    }
    /// Deprecates the property with this message.
    pub const fn deprecated(mut self, message: &'static str) -> PropertyDef {
        self.deprecated = Some(message);
        self
    }
    /// Sets the version of Chef that introduced the property.
    pub const fn since(mut self, version: &'static str) -> PropertyDef {
        self.introduced = version;
        self
    }
    /// Sets the documentation.
    pub const fn doc(mut self, text: &'static str) -> PropertyDef {
        self.doc = text;
        self
    }
}

/// A DSL name with its filters. An empty list matches any node; a value starting with `!` is negated.
#[derive(Clone, Copy)]
pub struct Provides {
    pub name: &'static str,
    pub os: &'static [&'static str],
    pub platform_family: &'static [&'static str],
    pub platform: &'static [&'static str],
    /// `platform_version:` (a Gem requirement)
    pub platform_version: &'static str,
    /// The block that tests the node.
    pub test: Option<fn(&mut Vm, &Value) -> Res<bool>>,
}

impl Provides {
    pub const fn always(name: &'static str) -> Provides {
        Provides { name, os: &[], platform_family: &[], platform: &[], platform_version: "", test: None }
    }
    /// A name on these platform families.
    pub const fn family(name: &'static str, families: &'static [&'static str]) -> Provides {
        Provides { platform_family: families, ..Provides::always(name) }
    }
    /// A name on these operating systems.
    pub const fn os(name: &'static str, os: &'static [&'static str]) -> Provides {
        Provides { os, ..Provides::always(name) }
    }
    /// A name on nodes that pass a test.
    pub const fn when(name: &'static str, test: fn(&mut Vm, &Value) -> Res<bool>) -> Provides {
        Provides { test: Some(test), ..Provides::always(name) }
    }
    /// A name on these platforms.
    pub const fn platform(name: &'static str, platforms: &'static [&'static str]) -> Provides {
        Provides { platform: platforms, ..Provides::always(name) }
    }
}

/// A shipped provider class and the name that it provides.
#[derive(Clone, Copy)]
pub struct ProviderName {
    /// Its name below `Chef::Provider`.
    pub class: &'static str,
    pub provides: Provides,
    /// Whether it wins over all classes of the name that do not (`override: true`).
    pub overriding: bool,
}

impl ProviderName {
    pub const fn of(class: &'static str, provides: Provides) -> ProviderName {
        ProviderName { class, provides, overriding: false }
    }
}

/// How resources of this class run a guard's command as guard interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardCommand {
    /// As the parent class; a class that inherits none cannot be a guard interpreter.
    Inherited,
    /// As a shell command.
    Line,
    /// As the argument of a program's option.
    Program {
        /// E.g. `bash`.
        program: &'static str,
        /// E.g. `-c`.
        option: &'static str,
    },
}

/// How a resource determines the content of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    None,
    /// Completely, if this property is set.
    Given(&'static str),
    Whole,
    /// Completely, from a file in the cookbook that it names.
    OfCookbook,
    /// The object is a directory.
    Directory,
}

/// An object on the machine that a resource manages. Resources of different types may manage the same object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// The kind of object.
    pub kind: &'static str,
    /// The property with its name; if it is not set, the resource's name.
    pub identity: &'static str,
    /// An optional ending of the name.
    pub ending: &'static str,
    /// Whether the resource may manage several objects, with lists as name and `version`.
    pub several: bool,
    pub content: Content,
}

impl Object {
    /// An object without an optional ending and without content.
    pub const fn new(kind: &'static str, identity: &'static str) -> Object {
        Object { kind, identity, ending: "", several: false, content: Content::None }
    }
    /// A file or directory.
    pub const fn path(identity: &'static str, content: Content) -> Object {
        Object { kind: "path", identity, ending: "/", several: false, content }
    }
    /// The name without its optional ending.
    pub fn plain<'a>(&self, name: &'a str) -> &'a str {
        if self.ending.is_empty() { name } else { name.trim_end_matches(self.ending) }
    }
}

/// The object that a resource manages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manages {
    /// The parent's.
    Inherited,
    /// None that another resource could manage.
    Nothing,
    Object(Object),
}

/// A resource shipped with Chef.
#[derive(Clone, Copy)]
pub struct ResourceDef {
    pub name: &'static str,
    /// The class in `Chef::Resource` (`User::LinuxUser` is inside the class `User`, which must be registered earlier).
    pub class: &'static str,
    /// The superclass in `Chef::Resource`, which must be registered earlier; empty: `Chef::Resource` itself.
    pub parent: &'static str,
    /// The path in `Chef::Provider` of the corresponding class; empty: the same as `class`.
    pub provider: &'static str,
    /// Names of other resources that its provider serves, each with the platform (`provides` in Chef's provider class).
    pub serves: &'static [(&'static str, &'static str)],
    /// DSL names, in order of registration.
    pub provides: &'static [Provides],
    /// Allowed actions besides `:nothing`, in Chef's order; empty: the parent's. (If Chef adds to the parent's actions, all are listed.)
    pub actions: &'static [&'static str],
    /// The default action; empty: the parent's, else `:nothing`.
    pub default_action: &'static [&'static str],
    /// Its own properties in Chef's order. A property with the name of an inherited one replaces it and keeps its position.
    pub properties: &'static [PropertyDef],
    /// Shared property tables of mixins in `Chef::Mixin` and of partials, appended to its own properties.
    pub shared: &'static [&'static [PropertyDef]],
    /// Modules that the class includes, by full name, in order.
    pub mixins: &'static [&'static str],
    /// Aliases of accessors: (new, old).
    pub aliases: &'static [(&'static str, &'static str)],
    /// `deprecated_property_alias`: (old name, property, message).
    pub deprecated_aliases: &'static [(&'static str, &'static str, &'static str)],
    /// `set_guard_inherited_attributes`: properties that a guard interpreter's resource inherits, in addition to the parent's.
    pub guard_inherited: &'static [&'static str],
    /// Constants of the class: frozen Arrays of Strings.
    pub lists: &'static [(&'static str, &'static [&'static str])],
    /// Properties that Chef's `initialize` sets, so that `to_text` lists them first.
    pub early: &'static [&'static str],
    /// Accessors that are hand-written methods with an instance variable; dumps show them among the properties.
    pub accessors: &'static [&'static str],
    /// Whether an overlay can simulate the actions completely (files, Ruby code, recorded or answered commands); if so, `compile` runs those that a
    /// recipe runs at compile time.
    pub overlay: bool,
    /// Called at the start of `initialize`, before the name is set: what it sets comes first in `to_text`.
    pub init_first: Option<Init>,
    /// Called at the end of `initialize`.
    pub init: Option<Init>,
    pub after_created: Option<Hook>,
    /// Instance methods of the class, except property accessors.
    pub methods: &'static [MethodDef],
    pub class_methods: &'static [MethodDef],
    /// Methods of its provider's class beside those of the actions: the helpers of Chef's `action_class`.
    pub provider_methods: &'static [MethodDef],
    /// Modules that its provider's class includes, by full name.
    pub provider_mixins: &'static [&'static str],
    /// `default_guard_interpreter`; empty: the parent's, else `:default`.
    pub default_guard_interpreter: &'static str,
    /// How it runs a guard's command as guard interpreter.
    pub guard_command: GuardCommand,
    /// The object that it manages, for comparing the resources of several policies.
    pub manages: Manages,
    /// The version of Chef that introduced it.
    pub introduced: &'static str,
    /// Deprecation message; empty: not deprecated.
    pub deprecated: &'static str,
    /// Documentation in our own words.
    pub doc: &'static str,
}

impl ResourceDef {
    /// The path of its provider's class in `Chef::Provider`.
    pub fn provider_class(&self) -> &'static str {
        if self.provider.is_empty() { self.class } else { self.provider }
    }
    /// The base of all definitions.
    pub const DEFAULT: ResourceDef = ResourceDef {
        name: "",
        class: "",
        parent: "",
        provider: "",
        serves: &[],
        provides: &[],
        actions: &[],
        default_action: &[],
        properties: &[],
        shared: &[],
        mixins: &[],
        aliases: &[],
        deprecated_aliases: &[],
        guard_inherited: &[],
        lists: &[],
        early: &[],
        accessors: &[],
        overlay: false,
        init_first: None,
        init: None,
        after_created: None,
        methods: &[],
        class_methods: &[],
        provider_methods: &[],
        provider_mixins: &[],
        default_guard_interpreter: "",
        guard_command: GuardCommand::Inherited,
        manages: Manages::Inherited,
        introduced: "",
        deprecated: "",
        doc: "",
    };
}
