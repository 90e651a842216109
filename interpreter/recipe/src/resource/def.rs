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

use rchef_ruby::method::MethodDef;
use rchef_ruby::{Res, Value, Vm};

/// A type that a property's value may have, or a literal value that it may be.
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
    /// A class or module by its full name.
    Class(&'static str),
    LitStr(&'static str),
    LitSym(&'static str),
    LitInt(i64),
    /// `true` alone.
    True,
    /// `false` alone.
    False,
    /// A String that matches.
    Matches(&'static str),
}

/// Converts what a property is given, as Chef's `coerce:` does: resource and value.
pub type Coerce = fn(&mut Vm, &Value, &Value) -> Res;
/// Computes a default (Chef's `lazy`): resource.
pub type LazyDefault = fn(&mut Vm, &Value) -> Res;
/// Chef's `callbacks:`: message and test.
pub type Callback = (&'static str, fn(&mut Vm, &Value) -> Res<bool>);
/// Runs at the end of `initialize`: resource and the name argument as it was given (before it became a String).
pub type Init = fn(&mut Vm, &Value, &Value) -> Res<()>;
/// A hook on a resource.
pub type Hook = fn(&mut Vm, &Value) -> Res<()>;

#[derive(Clone, Copy)]
pub enum Default_ {
    /// None: reading gives nil.
    None,
    /// A literal (Nil counts as a default of nil).
    Lit(Type),
    /// An empty Array, or an empty Hash.
    Empty(Type),
    /// A list of Strings.
    StrList(&'static [&'static str]),
    Lazy(LazyDefault),
}

/// When a property must have a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Required {
    No,
    /// For every action.
    Always,
    /// For these actions.
    For(&'static [&'static str]),
}

#[derive(Clone, Copy)]
pub struct PropertyDef {
    pub name: &'static str,
    /// Accepted types; empty: anything.
    pub types: &'static [Type],
    pub default: Default_,
    /// Default is the resource's name.
    pub name_property: bool,
    /// Part of the identity.
    pub identity: bool,
    /// Part of the desired state (Chef's default: true, except for name properties).
    pub desired_state: Option<bool>,
    pub required: Required,
    pub sensitive: bool,
    pub coerce: Option<Coerce>,
    pub equal_to: &'static [Type],
    pub regex: Option<&'static str>,
    pub callbacks: &'static [Callback],
    /// `validation_message:` replaces the text of any failed check.
    pub message: Option<&'static str>,
    /// Made by Chef's `set_or_return`: setting nil reads, there is no reset, types are checked as `kind_of:`.
    /// Such an accessor is listed in `properties` only if `desired_state` is given.
    pub legacy: bool,
    /// `skip_docs:` internal, not for recipes.
    pub hidden: bool,
    pub deprecated: Option<&'static str>,
    /// Version of Chef that introduced it.
    pub introduced: &'static str,
    /// Documentation, in our words.
    pub doc: &'static str,
}

/// A property of these types.
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
    /// With a literal default.
    pub const fn default(mut self, value: Type) -> PropertyDef {
        self.default = Default_::Lit(value);
        self
    }
    /// With an empty Array or Hash as default (`Type::Array` or `Type::Hash`).
    pub const fn default_empty(mut self, kind: Type) -> PropertyDef {
        self.default = Default_::Empty(kind);
        self
    }
    /// With a list of Strings as default.
    pub const fn default_list(mut self, items: &'static [&'static str]) -> PropertyDef {
        self.default = Default_::StrList(items);
        self
    }
    /// With a computed default.
    pub const fn lazy(mut self, default: LazyDefault) -> PropertyDef {
        self.default = Default_::Lazy(default);
        self
    }
    /// Defaults to the resource's name.
    pub const fn name_property(mut self) -> PropertyDef {
        self.name_property = true;
        self
    }
    /// Part of the identity.
    pub const fn identity(mut self) -> PropertyDef {
        self.identity = true;
        self
    }
    pub const fn desired_state(mut self, desired: bool) -> PropertyDef {
        self.desired_state = Some(desired);
        self
    }
    /// Required for every action.
    pub const fn required(mut self) -> PropertyDef {
        self.required = Required::Always;
        self
    }
    /// Required for these actions.
    pub const fn required_for(mut self, actions: &'static [&'static str]) -> PropertyDef {
        self.required = Required::For(actions);
        self
    }
    pub const fn sensitive(mut self) -> PropertyDef {
        self.sensitive = true;
        self
    }
    /// With a conversion.
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
    /// Made by `set_or_return`.
    pub const fn legacy(mut self) -> PropertyDef {
        self.legacy = true;
        self
    }
    pub const fn hidden(mut self) -> PropertyDef {
        self.hidden = true;
        self
    }
    /// Deprecated, with the message.
    pub const fn deprecated(mut self, message: &'static str) -> PropertyDef {
        self.deprecated = Some(message);
        self
    }
    /// Introduced in this version of Chef.
    pub const fn since(mut self, version: &'static str) -> PropertyDef {
        self.introduced = version;
        self
    }
    /// With its documentation.
    pub const fn doc(mut self, text: &'static str) -> PropertyDef {
        self.doc = text;
        self
    }
}

/// A DSL name and where it applies. Empty lists: anywhere. Values may be negated with `!`.
#[derive(Clone, Copy)]
pub struct Provides {
    pub name: &'static str,
    pub os: &'static [&'static str],
    pub platform_family: &'static [&'static str],
    pub platform: &'static [&'static str],
    /// `platform_version:` (a Gem requirement)
    pub platform_version: &'static str,
    /// The block: whether it applies to a node.
    pub test: Option<fn(&mut Vm, &Value) -> Res<bool>>,
}

impl Provides {
    pub const fn always(name: &'static str) -> Provides {
        Provides { name, os: &[], platform_family: &[], platform: &[], platform_version: "", test: None }
    }
    /// On these platform families.
    pub const fn family(name: &'static str, families: &'static [&'static str]) -> Provides {
        Provides { platform_family: families, ..Provides::always(name) }
    }
    /// On these operating systems.
    pub const fn os(name: &'static str, os: &'static [&'static str]) -> Provides {
        Provides { os, ..Provides::always(name) }
    }
    /// Where a test of the node says so.
    pub const fn when(name: &'static str, test: fn(&mut Vm, &Value) -> Res<bool>) -> Provides {
        Provides { test: Some(test), ..Provides::always(name) }
    }
    /// On these platforms.
    pub const fn platform(name: &'static str, platforms: &'static [&'static str]) -> Provides {
        Provides { platform: platforms, ..Provides::always(name) }
    }
}

/// How a guard's command runs where the guard's interpreter is a resource of this class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardCommand {
    /// As the parent's; a resource without any cannot run guards.
    Inherited,
    /// As a command line.
    Line,
    /// As the argument that follows an option of a program.
    Program {
        /// E.g. `bash`.
        program: &'static str,
        /// E.g. `-c`.
        option: &'static str,
    },
}

/// What a resource says of the content of the object that it manages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    None,
    /// All of it, if this property is given.
    Given(&'static str),
    Whole,
    /// All of it, by a file of the cookbook that it names.
    OfCookbook,
    /// It is a directory.
    Directory,
}

/// An object of the machine that a resource manages. Resources of different types may manage the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Kind of the object.
    pub kind: &'static str,
    /// Property that names it, where it is given; the resource's name elsewhere.
    pub identity: &'static str,
    /// What the name may end in without naming another object.
    pub ending: &'static str,
    /// Whether the resource may manage several, with the name and `version` as lists.
    pub several: bool,
    /// What it says of the content.
    pub content: Content,
}

impl Object {
    /// One whose name is as it is given, without content.
    pub const fn new(kind: &'static str, identity: &'static str) -> Object {
        Object { kind, identity, ending: "", several: false, content: Content::None }
    }
    /// A file or directory.
    pub const fn path(identity: &'static str, content: Content) -> Object {
        Object { kind: "path", identity, ending: "/", several: false, content }
    }
    /// A name without what it may end in.
    pub fn plain<'a>(&self, name: &'a str) -> &'a str {
        if self.ending.is_empty() { name } else { name.trim_end_matches(self.ending) }
    }
}

/// Which object a resource manages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manages {
    /// That of its parent.
    Inherited,
    /// None that another resource could manage as well.
    Nothing,
    Object(Object),
}

/// A resource that Chef ships.
#[derive(Clone, Copy)]
pub struct ResourceDef {
    pub name: &'static str,
    /// Name of the class under `Chef::Resource` (`User::LinuxUser` lies in the class `User`, which is registered earlier).
    pub class: &'static str,
    /// Class under `Chef::Resource` that it descends from; empty: `Chef::Resource` itself. It must be registered earlier.
    pub parent: &'static str,
    /// Path below `Chef::Provider` of the class that is named after it; empty: that of `class`.
    pub provider: &'static str,
    /// Resource names that its provider serves too, each with the platform where it does (`provides` in Chef's provider class).
    pub serves: &'static [(&'static str, &'static str)],
    /// DSL names, in order of registration.
    pub provides: &'static [Provides],
    /// Allowed actions beside `:nothing`, in Chef's order; empty: the parent's. (Where Chef adds to the parent's, all are listed.)
    pub actions: &'static [&'static str],
    /// Default action; empty: the parent's (else `:nothing`).
    pub default_action: &'static [&'static str],
    /// Own properties, in Chef's order. One of the name of an inherited property replaces it wholly and keeps its place.
    pub properties: &'static [PropertyDef],
    /// Names of mixins under `Chef::Mixin` or resource partials whose properties are shared tables: (table) appended after own ones.
    pub shared: &'static [&'static [PropertyDef]],
    /// Modules that the class includes, by full name, first included first.
    pub mixins: &'static [&'static str],
    /// Other names of accessors: (new, old).
    pub aliases: &'static [(&'static str, &'static str)],
    /// `deprecated_property_alias`: (old name, property, message).
    pub deprecated_aliases: &'static [(&'static str, &'static str, &'static str)],
    /// `set_guard_inherited_attributes`: what a guard interpreter's resource takes over, beside the parent's.
    pub guard_inherited: &'static [&'static str],
    /// Properties whose values Chef's `initialize` sets, so that `to_text` shows them before all others.
    pub early: &'static [&'static str],
    /// Names of accessors that are methods written by hand and keep their value in an instance variable, as properties do: dumps show
    /// them among the properties.
    pub accessors: &'static [&'static str],
    /// An overlay can show the whole effect of its actions (files, Ruby code, commands that are recorded or answered): `compile` runs them
    /// on it where a recipe runs them at compile time.
    pub overlay: bool,
    /// Runs at the end of `initialize`.
    pub init: Option<Init>,
    pub after_created: Option<Hook>,
    /// Instance methods of the class beside the property accessors.
    pub methods: &'static [MethodDef],
    pub class_methods: &'static [MethodDef],
    /// `default_guard_interpreter`; empty: the parent's, else `:default`.
    pub default_guard_interpreter: &'static str,
    /// What it does as the interpreter of a guard.
    pub guard_command: GuardCommand,
    /// The object that it manages, by which the resources of several policies are compared.
    pub manages: Manages,
    /// Version of Chef that introduced it.
    pub introduced: &'static str,
    /// Deprecation message; empty: not deprecated.
    pub deprecated: &'static str,
    /// Documentation, in our words.
    pub doc: &'static str,
}

impl ResourceDef {
    /// Path below `Chef::Provider` of the class of its provider.
    pub fn provider_class(&self) -> &'static str {
        if self.provider.is_empty() { self.class } else { self.provider }
    }
    /// Nothing set: the base of every description.
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
        early: &[],
        accessors: &[],
        overlay: false,
        init: None,
        after_created: None,
        methods: &[],
        class_methods: &[],
        default_guard_interpreter: "",
        guard_command: GuardCommand::Inherited,
        manages: Manages::Inherited,
        introduced: "",
        deprecated: "",
        doc: "",
    };
}
