//! Codes of findings about what is compiled: each names what was found, for people and for programs that read dumps and reports.

use std::cmp::Ordering;
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a finding says. It is ordered and shown by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// Its name in dumps and reports.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// A command, search or data bag that nobody answered here.
    Assumed = "assumed",
    /// Something fails only because an earlier action failed.
    Cascade = "cascade",
    /// The cookbook ends the run by itself.
    Refuses = "refuses",
    /// Code fails below something that nobody answered here.
    DependsOnAssumption = "depends-on-assumption",
    /// Code reads below a fact that the node's facts have not.
    FactAbsent = "fact-absent",
    /// Code reads below an attribute that is not set.
    AttributeMissing = "attribute-missing",
    /// A data bag or item is not in the repository.
    DataBagMissing = "data-bag-missing",
    /// A template raises an exception when it is rendered.
    TemplateFails = "template-fails",
    /// A resource or path of another operating system.
    OtherSystem = "other-system",
    /// A library that rchef has not.
    UnresolvedRequire = "unresolved-require",
    /// A cookbook is not in the cookbook path.
    MissingCookbook = "missing-cookbook",
    /// A recipe is not in its cookbook.
    MissingRecipe = "missing-recipe",
    /// A role is not in the repository.
    MissingRole = "missing-role",
    /// An environment is not in the repository.
    MissingEnvironment = "missing-environment",
    /// A template is not in its cookbook.
    MissingTemplate = "missing-template",
    /// A file is not in its cookbook.
    MissingFile = "missing-file",
    /// A recipe of a cookbook is included that the metadata does not depend on.
    MissingCookbookDependency = "missing-cookbook-dependency",
    /// A notification names a resource that is not declared.
    NotificationUnresolved = "notification-unresolved",
    /// A notification cannot be sent.
    NotificationFails = "notification-fails",
    /// A subscription names a resource that is not declared.
    SubscriptionUnresolved = "subscription-unresolved",
    /// Rchef cannot converge a resource on the platform.
    NoProvider = "no-provider",
    /// The cookbook path has not the version that is asked for.
    UnsatisfiedVersion = "unsatisfied-version",
    /// Two attribute files have one name.
    SharedName = "shared-name",
    /// A cookbook does not accept the version of Chef that rchef claims.
    ChefVersion = "chef-version",
    /// Ruby or Chef code that later versions removed; rchef still runs it.
    Deprecated = "deprecated",
    /// An action that runs at compile time fails on the simulated machine.
    OverlayFailure = "overlay-failure",
    /// Something that rchef does not do.
    NotSupported = "not-supported",
    /// An exception ends the compile, or the action of a custom resource.
    CompileFailed = "compile-failed",
    /// A file is not Ruby.
    SyntaxError = "syntax-error",
    /// A compile takes more time, steps or memory than it may.
    LimitPassed = "limit-passed",
    /// A notification waits for the declaration of its target.
    NotificationParked = "notification-parked",
    /// Two resources of a collection have one key.
    DuplicateKey = "duplicate-key",
    /// A command was not run, and its output is taken as empty.
    AssumedEmpty = "assumed-empty",
}

impl Code {
    /// The code of a name.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == text)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Code) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}
impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn names_are_read_back() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(*code));
        }
        assert_eq!(Code::parse("nothing"), None);
        assert!(Code::Assumed < Code::Cascade);
    }
}
