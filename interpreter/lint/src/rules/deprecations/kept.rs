//! Methods that Chef removed and that rchef keeps.

/// A method: its name, the version of Chef that removed it, and what replaces it.
pub(super) struct Kept {
    pub name: &'static str,
    pub version: &'static str,
    pub instead: &'static str,
}

pub(super) const NODE_SET: Kept = Kept { name: "node.set", version: "14", instead: "node.normal or node.default" };
pub(super) const NODE_SET_UNLESS: Kept =
    Kept { name: "node.set_unless", version: "14", instead: "node.normal_unless or node.default_unless" };
pub(super) const REQUIRE_RECIPE: Kept = Kept { name: "require_recipe", version: "15", instead: "include_recipe" };

/// The version of Chef that removed a method which rchef keeps, and the replacement.
#[must_use]
pub fn removed_method(name: &str) -> Option<(&'static str, &'static str)> {
    let all = [NODE_SET, NODE_SET_UNLESS, REQUIRE_RECIPE];
    all.iter().find(|kept| kept.name == name).map(|kept| (kept.version, kept.instead))
}
