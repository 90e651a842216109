//! Codes of findings: the kinds of problems and remarks in dumps and reports.

use std::cmp::Ordering;
use std::fmt;

macro_rules! codes {
    ($($name:ident = $text:literal, $summary:literal, $why:literal, $todo:literal;)*) => {
        /// The kind of a finding. Codes are ordered and displayed by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $summary] $name,)*
        }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The name in dumps and reports.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }

            /// A short description of the finding.
            pub fn summary(self) -> &'static str {
                match self {
                    $(Code::$name => $summary,)*
                }
            }

            pub fn why(self) -> &'static str {
                match self {
                    $(Code::$name => $why,)*
                }
            }

            /// What the user can do about it.
            pub fn todo(self) -> &'static str {
                match self {
                    $(Code::$name => $todo,)*
                }
            }
        }
    };
}

// For each code: its name, summary, reason and advice.
codes! {
    Assumed = "assumed",
        "a command, search or data bag that nobody answered here",
        "what follows from it is not known here",
        "answer it with --stub; --write-stubs drafts such a file";
    Cascade = "cascade",
        "something fails only because an earlier action failed",
        "what it looks for was to be declared by an action that failed",
        "see the other findings first";
    Refuses = "refuses",
        "the cookbook ends the run by itself",
        "the cookbook's own code ends the run: it would with Chef, too",
        "run it where the cookbook wants to be run, or set what it asks for";
    DependsOnAssumption = "depends-on-assumption",
        "code fails below something that nobody answered here",
        "something that the code asked for was not answered here",
        "answer it with --stub (--write-stubs drafts the file), or check on the node with --live --exec";
    FactAbsent = "fact-absent",
        "code reads below a fact that the node's facts have not",
        "Ohai has it on some nodes only",
        "give a node's facts with --ohai or --stub; enable the plugin where the facts are collected";
    AttributeMissing = "attribute-missing",
        "code reads below an attribute that is not set",
        "the code reads below it",
        "set it in a role, an environment, an attribute file or with -j";
    DataBagMissing = "data-bag-missing",
        "a data bag or item is not in the repository",
        "the data bag or item is not among the repository's data_bags",
        "add it to data_bags/, or name their folder by data_bag_path in a configuration file";
    TemplateFails = "template-fails",
        "a template raises an exception when it is rendered",
        "what the template calls is not there when it is rendered now",
        "look at the template; what resources before it make is not known here";
    GuardFails = "guard-fails",
        "a guard or a lazy value raises an exception",
        "the run ends where the resource is reached, unless what the resources before it do changes that",
        "look at the block: it may read what is not set";
    OtherSystem = "other-system",
        "a resource or path of another operating system",
        "the resource is of another operating system",
        "leave it out there by its platform";
    UnresolvedRequire = "unresolved-require",
        "a library that rchef has not",
        "rchef has no library of that name: it carries its own standard library and no gems with C code",
        "use what the standard library has, or put a pure-Ruby gem where `require` finds it";
    MissingCookbook = "missing-cookbook",
        "a cookbook is not in the cookbook path",
        "the run list or a dependency names it",
        "add it to the cookbook path, or correct the name";
    MissingRecipe = "missing-recipe",
        "a recipe is not in its cookbook",
        "the run list or include_recipe names it",
        "correct the name, or add the recipe";
    MissingRole = "missing-role",
        "a role is not in the repository",
        "the run list names it",
        "add the role to roles/, or remove it from the run list";
    MissingEnvironment = "missing-environment",
        "an environment is not in the repository",
        "the node is in it",
        "add it to environments/, or correct the name";
    MissingTemplate = "missing-template",
        "a template is not in its cookbook",
        "the resource fails when it is converged",
        "add the file to the cookbook, or correct `source` and `cookbook`";
    MissingFile = "missing-file",
        "a file is not in its cookbook",
        "the resource fails when it is converged",
        "add the file to the cookbook, or correct `source` and `cookbook`";
    MissingCookbookDependency = "missing-cookbook-dependency",
        "a recipe of a cookbook is included that the metadata does not depend on",
        "the cookbook's attributes and libraries are not loaded, only its recipe",
        "add `depends` to the metadata of the cookbook that includes it";
    NotificationUnresolved = "notification-unresolved",
        "a notification names a resource that is not declared",
        "the run fails before it converges anything",
        "declare the target, or correct its name and action";
    NotificationFails = "notification-fails",
        "a notification cannot be sent",
        "the run fails before it converges anything",
        "declare the target, or correct its name and action";
    SubscriptionUnresolved = "subscription-unresolved",
        "a subscription names a resource that is not declared",
        "it never fires",
        "correct the name, or remove the subscription";
    NoProvider = "no-provider",
        "rchef cannot converge a resource on the platform",
        "rchef cannot converge this resource on the platform",
        "leave it out there (`only_if`, `case platform`), or keep Chef for this node";
    UnsatisfiedVersion = "unsatisfied-version",
        "the cookbook path has not the version that is asked for",
        "a client ends here: it resolves versions as a Chef server does",
        "put the version that is asked for into the cookbook path, or loosen the constraint";
    SharedName = "shared-name",
        "two attribute files have one name",
        "attribute files go by their base names, and one name is evaluated once",
        "rename one of the two files";
    ChefVersion = "chef-version",
        "a cookbook does not accept the version of Chef that rchef claims",
        "the cookbook does not accept the version that rchef claims",
        "use a version of the cookbook that does";
    Deprecated = "deprecated",
        "Ruby or Chef code that later versions removed; rchef still runs it",
        "later Chef or Ruby versions removed it; rchef still runs it",
        "replace it when the cookbook is changed next";
    RemovedApi = "removed-api",
        "code calls what Chef 18 no longer has; rchef still has it",
        "the run ends here with Chef 18, and not with rchef",
        "replace it as the message says";
    OverlayFailure = "overlay-failure",
        "an action that runs at compile time fails on the simulated machine",
        "the overlay has not what the machine may have",
        "look at the action; with --immediate=record it is only listed";
    NotSupported = "not-supported",
        "something that rchef does not do",
        "rchef does not do this",
        "avoid it, or tell the project";
    CompileFailed = "compile-failed",
        "an exception ends the compile, or the action of a custom resource",
        "the code raised an exception while it was compiled",
        "see the line; `rchef compile` shows the backtrace";
    SyntaxError = "syntax-error",
        "a file is not Ruby",
        "the file cannot be parsed",
        "correct the line";
    LimitPassed = "limit-passed",
        "a compile takes more time, steps or memory than it may",
        "it would go on for longer",
        "look at the line; --limit-time, --limit-steps and --limit-memory set the limits";
    NotificationParked = "notification-parked",
        "a notification waits for the declaration of its target",
        "the target is declared later",
        "declare the target before, where the order matters";
    DuplicateKey = "duplicate-key",
        "two resources of a collection have one key",
        "lookups find the last of them",
        "give one of the resources another name";
    AssumedEmpty = "assumed-empty",
        "a command was not run, and its output is taken as empty",
        "what follows from it is not known here",
        "answer it with --stub-command, or run it with --exec";
}

impl Code {
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
