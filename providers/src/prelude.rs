//! The imports of a resource module.

pub(crate) use rchef_recipe::resource::def::Type::*;
pub(crate) use rchef_recipe::resource::def::{
    Content, GuardCommand, Manages, Object, Provides, ResourceDef, Type, prop,
};
pub(crate) use rchef_ruby::{Res, Value, Vm};

/// `TrueClass` as a property type; error messages use this name.
pub(crate) const TRUE_CLASS: Type = Class("TrueClass");
pub(crate) const FALSE_CLASS: Type = Class("FalseClass");
pub(crate) const NIL_CLASS: Type = Class("NilClass");
