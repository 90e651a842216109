//! Codes of findings about what is compiled: each names what was found, for people and for programs that read dumps and reports.

use std::cmp::Ordering;
use std::fmt;

macro_rules! codes {
    ($($name:ident = $text:literal, $summary:literal;)*) => {
        /// What a finding says. It is ordered and shown by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $summary] $name,)*
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

            /// What findings of it say.
            pub fn summary(self) -> &'static str {
                match self {
                    $(Code::$name => $summary,)*
                }
            }
        }
    };
}

codes! {
    Assumed = "assumed", "a command, search or data bag that nobody answered here";
    Cascade = "cascade", "something fails only because an earlier action failed";
    Refuses = "refuses", "the cookbook ends the run by itself";
    DependsOnAssumption = "depends-on-assumption", "code fails below something that nobody answered here";
    FactAbsent = "fact-absent", "code reads below a fact that the node's facts have not";
    AttributeMissing = "attribute-missing", "code reads below an attribute that is not set";
    DataBagMissing = "data-bag-missing", "a data bag or item is not in the repository";
    TemplateFails = "template-fails", "a template raises an exception when it is rendered";
    OtherSystem = "other-system", "a resource or path of another operating system";
    UnresolvedRequire = "unresolved-require", "a library that rchef has not";
    MissingCookbook = "missing-cookbook", "a cookbook is not in the cookbook path";
    MissingRecipe = "missing-recipe", "a recipe is not in its cookbook";
    MissingRole = "missing-role", "a role is not in the repository";
    MissingEnvironment = "missing-environment", "an environment is not in the repository";
    MissingTemplate = "missing-template", "a template is not in its cookbook";
    MissingFile = "missing-file", "a file is not in its cookbook";
    MissingCookbookDependency = "missing-cookbook-dependency", "a recipe of a cookbook is included that the metadata does not depend on";
    NotificationUnresolved = "notification-unresolved", "a notification names a resource that is not declared";
    NotificationFails = "notification-fails", "a notification cannot be sent";
    SubscriptionUnresolved = "subscription-unresolved", "a subscription names a resource that is not declared";
    NoProvider = "no-provider", "rchef cannot converge a resource on the platform";
    UnsatisfiedVersion = "unsatisfied-version", "the cookbook path has not the version that is asked for";
    SharedName = "shared-name", "two attribute files have one name";
    ChefVersion = "chef-version", "a cookbook does not accept the version of Chef that rchef claims";
    Deprecated = "deprecated", "Ruby or Chef code that later versions removed; rchef still runs it";
    OverlayFailure = "overlay-failure", "an action that runs at compile time fails on the simulated machine";
    NotSupported = "not-supported", "something that rchef does not do";
    CompileFailed = "compile-failed", "an exception ends the compile, or the action of a custom resource";
    SyntaxError = "syntax-error", "a file is not Ruby";
    LimitPassed = "limit-passed", "a compile takes more time, steps or memory than it may";
    NotificationParked = "notification-parked", "a notification waits for the declaration of its target";
    DuplicateKey = "duplicate-key", "two resources of a collection have one key";
    AssumedEmpty = "assumed-empty", "a command was not run, and its output is taken as empty";
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
