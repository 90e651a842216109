//! Why findings matter, and what to do about them.

use rchef_model::code::Code;

/// Why a finding matters, and what to do.
pub fn advice(code: Code) -> (&'static str, &'static str) {
    match code {
        Code::Assumed => {
            ("what follows from it is not known here", "answer it with --stub; --write-stubs drafts such a file")
        }
        Code::Cascade => {
            ("what it looks for was to be declared by an action that failed", "see the other findings first")
        }
        Code::Refuses => (
            "the cookbook's own code ends the run: it would with Chef, too",
            "run it where the cookbook wants to be run, or set what it asks for",
        ),
        Code::DependsOnAssumption => (
            "something that the code asked for was not answered here",
            "answer it with --stub (--write-stubs drafts the file), or check on the node with --live --exec",
        ),
        Code::FactAbsent => (
            "Ohai has it on some nodes only",
            "give a node's facts with --ohai or --stub; enable the plugin where the facts are collected",
        ),
        Code::AttributeMissing => {
            ("the code reads below it", "set it in a role, an environment, an attribute file or with -j")
        }
        Code::DataBagMissing => (
            "the data bag or item is not among the repository's data_bags",
            "add it to data_bags/, or name their folder by data_bag_path in a configuration file",
        ),
        Code::TemplateFails => (
            "what the template calls is not there when it is rendered now",
            "look at the template; what resources before it make is not known here",
        ),
        Code::OtherSystem => ("the resource is of another operating system", "leave it out there by its platform"),
        Code::UnresolvedRequire => (
            "rchef has no library of that name: it carries its own standard library and no gems with C code",
            "use what the standard library has, or put a pure-Ruby gem where `require` finds it",
        ),
        Code::MissingCookbook => {
            ("the run list or a dependency names it", "add it to the cookbook path, or correct the name")
        }
        Code::MissingRecipe => ("the run list or include_recipe names it", "correct the name, or add the recipe"),
        Code::MissingRole => ("the run list names it", "add the role to roles/, or remove it from the run list"),
        Code::MissingEnvironment => ("the node is in it", "add it to environments/, or correct the name"),
        Code::MissingTemplate | Code::MissingFile => (
            "the resource fails when it is converged",
            "add the file to the cookbook, or correct `source` and `cookbook`",
        ),
        Code::MissingCookbookDependency => (
            "the cookbook's attributes and libraries are not loaded, only its recipe",
            "add `depends` to the metadata of the cookbook that includes it",
        ),
        Code::NotificationUnresolved | Code::NotificationFails => {
            ("the run fails before it converges anything", "declare the target, or correct its name and action")
        }
        Code::SubscriptionUnresolved => ("it never fires", "correct the name, or remove the subscription"),
        Code::NoProvider => (
            "rchef cannot converge this resource on the platform",
            "leave it out there (`only_if`, `case platform`), or keep Chef for this node",
        ),
        Code::UnsatisfiedVersion => (
            "a client ends here: it resolves versions as a Chef server does",
            "put the version that is asked for into the cookbook path, or loosen the constraint",
        ),
        Code::SharedName => {
            ("attribute files go by their base names, and one name is evaluated once", "rename one of the two files")
        }
        Code::ChefVersion => {
            ("the cookbook does not accept the version that rchef claims", "use a version of the cookbook that does")
        }
        Code::Deprecated => (
            "later Chef or Ruby versions removed it; rchef still runs it",
            "replace it when the cookbook is changed next",
        ),
        Code::OverlayFailure => (
            "the overlay has not what the machine may have",
            "look at the action; with --immediate=record it is only listed",
        ),
        Code::LimitPassed => (
            "it would go on for longer",
            "look at the line; --limit-time, --limit-steps and --limit-memory set the limits",
        ),
        Code::SyntaxError => ("the file cannot be parsed", "correct the line"),
        Code::NotSupported => ("rchef does not do this", "avoid it, or tell the project"),
        Code::NotificationParked => {
            ("the target is declared later", "declare the target before, where the order matters")
        }
        Code::DuplicateKey => ("lookups find the last of them", "give one of the resources another name"),
        Code::AssumedEmpty => {
            ("what follows from it is not known here", "answer it with --stub-command, or run it with --exec")
        }
        Code::CompileFailed => {
            ("the code raised an exception while it was compiled", "see the line; `rchef compile` shows the backtrace")
        }
    }
}

/// All about a rule, by its name with or without `compile/`; none when there is no such rule.
pub fn explanation(name: &str) -> Option<String> {
    let name = name.strip_prefix("compile/").unwrap_or(name);
    let code = Code::parse(name)?;
    let (why, todo) = advice(code);
    Some(format!("compile/{code}\n\n{}.\nWhy: {why}.\nDo: {todo}.\n", code.summary()))
}

#[cfg(test)]
mod tests {
    use super::{Code, advice, explanation};

    #[test]
    fn every_rule_says_what_to_do() {
        for rule in Code::ALL {
            let told = explanation(rule.as_str()).unwrap();
            assert!(!advice(*rule).1.is_empty() && told.starts_with("compile/"), "{rule}");
        }
        assert!(explanation("nothing").is_none());
    }
}
