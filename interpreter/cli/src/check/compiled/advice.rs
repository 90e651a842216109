//! Why findings matter, and what to do about them.

/// Why a finding of a rule matters, and what to do.
pub fn advice(code: &str) -> (&'static str, &'static str) {
    match code {
        "assumed" => {
            ("what follows from it is not known here", "answer it with --stub; --write-stubs drafts such a file")
        }
        "cascade" => ("what it looks for was to be declared by an action that failed", "see the other findings first"),
        "refuses" => (
            "the cookbook's own code ends the run: it would with Chef, too",
            "run it where the cookbook wants to be run, or set what it asks for",
        ),
        "depends-on-assumption" => (
            "something that the code asked for was not answered here",
            "answer it with --stub (--write-stubs drafts the file), or check on the node with --live --exec",
        ),
        "fact-absent" => (
            "Ohai has it on some nodes only",
            "give a node's facts with --ohai or --stub; enable the plugin where the facts are collected",
        ),
        "attribute-missing" => {
            ("the code reads below it", "set it in a role, an environment, an attribute file or with -j")
        }
        "data-bag-missing" => (
            "the data bag or item is not among the repository's data_bags",
            "add it to data_bags/, or name their folder by data_bag_path in a configuration file",
        ),
        "template-fails" => (
            "what the template calls is not there when it is rendered now",
            "look at the template; what resources before it make is not known here",
        ),
        "other-system" => ("the resource is of another operating system", "leave it out there by its platform"),
        "unresolved-require" => (
            "rchef has no library of that name: it carries its own standard library and no gems with C code",
            "use what the standard library has, or put a pure-Ruby gem where `require` finds it",
        ),
        "missing-cookbook" => {
            ("the run list or a dependency names it", "add it to the cookbook path, or correct the name")
        }
        "missing-recipe" => ("the run list or include_recipe names it", "correct the name, or add the recipe"),
        "missing-role" => ("the run list names it", "add the role to roles/, or remove it from the run list"),
        "missing-environment" => ("the node is in it", "add it to environments/, or correct the name"),
        "missing-template" | "missing-file" => (
            "the resource fails when it is converged",
            "add the file to the cookbook, or correct `source` and `cookbook`",
        ),
        "missing-cookbook-dependency" => (
            "the cookbook's attributes and libraries are not loaded, only its recipe",
            "add `depends` to the metadata of the cookbook that includes it",
        ),
        "notification-unresolved" | "notification-fails" => {
            ("the run fails before it converges anything", "declare the target, or correct its name and action")
        }
        "subscription-unresolved" => ("it never fires", "correct the name, or remove the subscription"),
        "no-provider" => (
            "rchef cannot converge this resource on the platform",
            "leave it out there (`only_if`, `case platform`), or keep Chef for this node",
        ),
        "unsatisfied-version" => (
            "a client ends here: it resolves versions as a Chef server does",
            "put the version that is asked for into the cookbook path, or loosen the constraint",
        ),
        "shared-name" => {
            ("attribute files go by their base names, and one name is evaluated once", "rename one of the two files")
        }
        "chef-version" => {
            ("the cookbook does not accept the version that rchef claims", "use a version of the cookbook that does")
        }
        "deprecated" => (
            "later Chef or Ruby versions removed it; rchef still runs it",
            "replace it when the cookbook is changed next",
        ),
        "overlay-failure" => (
            "the overlay has not what the machine may have",
            "look at the action; with --immediate=record it is only listed",
        ),
        "limit-passed" => (
            "it would go on for longer",
            "look at the line; --limit-time, --limit-steps and --limit-memory set the limits",
        ),
        "syntax-error" => ("the file cannot be parsed", "correct the line"),
        "not-supported" => ("rchef does not do this", "avoid it, or tell the project"),
        _ => {
            ("the code raised an exception while it was compiled", "see the line; `rchef compile` shows the backtrace")
        }
    }
}

/// Every rule of compiles, and what its findings say.
pub const RULES: &[(&str, &str)] = &[
    ("assumed", "a command, search or data bag that nobody answered here"),
    ("cascade", "something fails only because an earlier action failed"),
    ("refuses", "the cookbook ends the run by itself"),
    ("depends-on-assumption", "code fails below something that nobody answered here"),
    ("fact-absent", "code reads below a fact that the node's facts have not"),
    ("attribute-missing", "code reads below an attribute that is not set"),
    ("data-bag-missing", "a data bag or item is not in the repository"),
    ("template-fails", "a template raises an exception when it is rendered"),
    ("other-system", "a resource or path of another operating system"),
    ("unresolved-require", "a library that rchef has not"),
    ("missing-cookbook", "a cookbook is not in the cookbook path"),
    ("missing-recipe", "a recipe is not in its cookbook"),
    ("missing-role", "a role is not in the repository"),
    ("missing-environment", "an environment is not in the repository"),
    ("missing-template", "a template is not in its cookbook"),
    ("missing-file", "a file is not in its cookbook"),
    ("missing-cookbook-dependency", "a recipe of a cookbook is included that the metadata does not depend on"),
    ("notification-unresolved", "a notification names a resource that is not declared"),
    ("notification-fails", "a notification cannot be sent"),
    ("subscription-unresolved", "a subscription names a resource that is not declared"),
    ("no-provider", "rchef cannot converge a resource on the platform"),
    ("unsatisfied-version", "the cookbook path has not the version that is asked for"),
    ("shared-name", "two attribute files have one name"),
    ("chef-version", "a cookbook does not accept the version of Chef that rchef claims"),
    ("deprecated", "Ruby or Chef code that later versions removed; rchef still runs it"),
    ("overlay-failure", "an action that runs at compile time fails on the simulated machine"),
    ("not-supported", "something that rchef does not do"),
    ("compile-failed", "an exception ends the compile, or the action of a custom resource"),
    ("syntax-error", "a file is not Ruby"),
    ("limit-passed", "a compile takes more time, steps or memory than it may"),
];

/// The rule of a name.
pub fn known(name: &str) -> &'static str {
    RULES.iter().find(|(rule, _)| *rule == name).map_or("compile-failed", |(rule, _)| rule)
}

/// All about a rule, by its name with or without `compile/`; none when there is no such rule.
pub fn explanation(name: &str) -> Option<String> {
    let name = name.strip_prefix("compile/").unwrap_or(name);
    let (rule, summary) = RULES.iter().find(|(rule, _)| *rule == name)?;
    let (why, todo) = advice(rule);
    Some(format!("compile/{rule}\n\n{summary}.\nWhy: {why}.\nDo: {todo}.\n"))
}

#[cfg(test)]
mod tests {
    use super::{RULES, advice, explanation};

    #[test]
    fn every_rule_says_what_to_do() {
        for (rule, _) in RULES {
            assert!(!advice(rule).1.is_empty() && explanation(rule).unwrap().starts_with("compile/"), "{rule}");
        }
        assert!(explanation("nothing").is_none());
    }
}
