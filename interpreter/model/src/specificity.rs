//! File specificity: which of several files of a cookbook a node gets. Directories named after the host or platform come first.

/// The node facts that choose among directories; empty if the node does not have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub fqdn: String,
    pub platform: String,
    pub version: String,
}

impl Facts {
    /// Directories below `templates` or `files`, the most specific first; the last, empty one is the segment itself.
    pub fn folders(&self) -> Vec<String> {
        let mut folders = vec![format!("host-{}", self.fqdn)];
        let mut version = self.version.as_str();
        while !version.is_empty() {
            folders.push(format!("{}-{version}", self.platform));
            version = version.rsplit_once('.').map_or("", |(shorter, _)| shorter);
        }
        folders.extend([self.platform.clone(), "default".into(), String::new()]);
        folders
    }

    /// The possible paths of a file in a segment, in order of precedence.
    pub fn paths(&self, segment: &str, name: &str) -> Vec<String> {
        self.folders().iter().map(|folder| path(segment, folder, name)).collect()
    }

    /// The paths that Chef's message lists if there is none: of the platform versions only the full one.
    pub fn listed(&self, segment: &str, name: &str) -> Vec<String> {
        let shorter = |folder: &String| {
            let version = folder.strip_prefix(&format!("{}-", self.platform));
            version.is_some_and(|version| version != self.version)
        };
        let kept = self.folders().into_iter().filter(|folder| !shorter(folder));
        kept.map(|folder| path(segment, &folder, name)).collect()
    }
}

fn path(segment: &str, folder: &str, name: &str) -> String {
    if folder.is_empty() { format!("{segment}/{name}") } else { format!("{segment}/{folder}/{name}") }
}

/// The `source` of a file or template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A name, searched in the directories of the node.
    Name(String),
    /// Paths below the segment; the first existing one is used. The directories of the node do not matter.
    Paths(Vec<String>),
}

impl Wanted {
    /// The name, or the first path.
    pub fn first(&self) -> &str {
        match self {
            Wanted::Name(name) => name,
            Wanted::Paths(paths) => paths.first().map_or("", String::as_str),
        }
    }

    /// The paths below the cookbook to be tried, in order.
    pub fn paths(&self, facts: &Facts, segment: &str) -> Vec<String> {
        match self {
            Wanted::Name(name) => facts.paths(segment, name),
            Wanted::Paths(paths) => paths.iter().map(|name| path(segment, "", name)).collect(),
        }
    }

    /// The places of a file that a cookbook does not have, as Chef's message lists them.
    pub fn listed(&self, facts: &Facts, segment: &str) -> Vec<String> {
        match self {
            Wanted::Name(name) => facts.listed(segment, name),
            Wanted::Paths(_) => self.paths(facts, segment),
        }
    }

    /// Chef's message for a file that a cookbook does not have at any of its places. `files` are those of the segment, below the cookbook.
    pub fn missing(&self, facts: &Facts, cookbook: (&str, &str), segment: &str, files: &[&str]) -> String {
        let listed = self.listed(facts, segment);
        let (name, version) = cookbook;
        let mut lines =
            vec![format!("Cookbook '{name}' ({version}) does not contain a file at any of these locations:")];
        lines.extend(listed.iter().map(|path| format!("  {path}")));
        if !files.is_empty() {
            lines.extend([String::new(), format!("This cookbook _does_ contain: ['{}']", files.join("','"))]);
        }
        lines.join("\n")
    }
}

/// A file's record in Chef's cookbook manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The top-level directory; `root_files` for files outside of directories.
    pub segment: &'a str,
    /// The file name, without directories.
    pub name: &'a str,
    /// The directory that restricts a template or file to some nodes: `default` is for all, `root_default` means that the file is in none.
    pub specificity: &'a str,
}

impl Record<'_> {
    /// The record of a path below the cookbook.
    pub fn of(path: &str) -> Record<'_> {
        let Some((segment, rest)) = path.split_once('/') else {
            return Record { segment: "root_files", name: path, specificity: "default" };
        };
        let name = rest.rsplit('/').next().unwrap_or(rest);
        let specificity = match segment {
            "files" | "templates" => rest.split_once('/').map_or("root_default", |(folder, _)| folder),
            _ => "default",
        };
        Record { segment, name, specificity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts { fqdn: "a.example.org".into(), platform: "ubuntu".into(), version: "22.04".into() }
    }

    #[test]
    fn the_most_specific_folder_is_first() {
        assert_eq!(
            facts().paths("templates", "x.erb"),
            [
                "templates/host-a.example.org/x.erb",
                "templates/ubuntu-22.04/x.erb",
                "templates/ubuntu-22/x.erb",
                "templates/ubuntu/x.erb",
                "templates/default/x.erb",
                "templates/x.erb"
            ]
        );
    }

    #[test]
    fn shorter_versions_are_not_listed() {
        let listed = facts().listed("files", "x");
        assert_eq!(listed.len(), 5);
        assert!(!listed.contains(&"files/ubuntu-22/x".to_string()), "{listed:?}");
    }

    #[test]
    fn a_node_without_a_version() {
        let facts = Facts { platform: "x".into(), ..Facts::default() };
        assert_eq!(facts.folders(), ["host-", "x", "default", ""]);
    }

    #[test]
    fn a_list_of_paths_is_taken_as_it_is() {
        let wanted = Wanted::Paths(vec!["a/x".into(), "x".into()]);
        assert_eq!(wanted.paths(&facts(), "files"), ["files/a/x", "files/x"]);
        assert_eq!(
            wanted.missing(&facts(), ("web", "1.0.0"), "files", &["files/default/x", "files/y"]),
            "Cookbook 'web' (1.0.0) does not contain a file at any of these locations:\n  files/a/x\n  files/x\n\n\
             This cookbook _does_ contain: ['files/default/x','files/y']"
        );
    }

    #[test]
    fn records() {
        for (path, segment, name, specificity) in [
            ("templates/default/a.erb", "templates", "a.erb", "default"),
            ("templates/ubuntu/b/a.erb", "templates", "a.erb", "ubuntu"),
            ("templates/a.erb", "templates", "a.erb", "root_default"),
            ("recipes/x/a.rb", "recipes", "a.rb", "default"),
            ("README.md", "root_files", "README.md", "default"),
            ("docs/a.md", "docs", "a.md", "default"),
        ] {
            assert_eq!(Record::of(path), Record { segment, name, specificity }, "{path}");
        }
    }
}
