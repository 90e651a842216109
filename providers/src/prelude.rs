//! What every resource's module needs.

pub(crate) use rchef_recipe::resource::def::Type::*;
pub(crate) use rchef_recipe::resource::def::{
    Content, GuardCommand, Manages, Object, Provides, ResourceDef, Type, prop,
};
pub(crate) use rchef_ruby::{Res, Value, Vm};

/// `TrueClass` as a type: an error text names it so.
pub(crate) const TRUE_CLASS: Type = Class("TrueClass");
/// `FalseClass` as a type.
pub(crate) const FALSE_CLASS: Type = Class("FalseClass");
/// `NilClass` as a type.
pub(crate) const NIL_CLASS: Type = Class("NilClass");
