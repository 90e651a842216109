//! A saved node whose attributes are only parsed when they are used: of the hundred kilobytes of a node found by a search, recipes read very
//! little.

use super::classes::Component;
use rchef_model::skim::{self, Entry};
use rchef_ruby::{Res, Value, Vm};
use serde_json::Value as Json;
use std::sync::Arc;

/// The positions of a saved node's entries in its text, and of the attributes in its levels.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    entries: Arc<[Small]>,
    levels: Arc<[(Component, Arc<[Small]>)]>,
}

/// An entry: start and end of its key, start and end of its value.
type Small = [u32; 4];

/// The levels of a saved node.
const LEVELS: [(&str, Component); 4] = [
    ("default", Component::Default),
    ("normal", Component::Normal),
    ("override", Component::Override),
    ("automatic", Component::Automatic),
];

impl Outline {
    /// Finds the entries in a JSON text. None if it is not in the form that Chef saves: without a name, with levels that are not objects, or with
    /// duplicate keys.
    pub(crate) fn new(text: &[u8]) -> Option<Outline> {
        let entries = plain(text, skim::entries(text)?, 0)?;
        let find = |key: &str| entries.iter().find(|entry| key_of(text, entry) == key.as_bytes());
        if find("attributes").is_some() || text.get(find("name")?[2] as usize) != Some(&b'"') {
            return None;
        }
        let mut levels = Vec::new();
        for (key, component) in LEVELS {
            if let Some([_, _, start, end]) = find(key) {
                let (start, end) = (*start as usize, *end as usize);
                levels.push((component, plain(text, skim::entries(text.get(start..end)?)?, start)?));
            }
        }
        Some(Outline { levels: levels.into(), entries })
    }
}

fn key_of<'a>(text: &'a [u8], entry: &Small) -> &'a [u8] {
    text.get(entry[0] as usize..entry[1] as usize).unwrap_or_default()
}

/// The entries of an object that begins at `from`; None for duplicate keys or keys with escapes.
fn plain(text: &[u8], entries: Vec<Entry>, from: usize) -> Option<Arc<[Small]>> {
    let mut found = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let place = |at: usize| u32::try_from(from + at).ok();
        found.push([place(key.start)?, place(key.end)?, place(value.start)?, place(value.end)?]);
    }
    let mut keys: Vec<&[u8]> = found.iter().map(|entry| key_of(text, entry)).collect();
    keys.sort_unstable();
    let twice = keys.windows(2).any(|pair| pair[0] == pair[1]);
    (!twice && !keys.iter().any(|key| key.contains(&b'\\'))).then(|| found.into())
}

/// Holds the text of a saved node, and converts its JSON to Ruby values.
pub(crate) trait Holder: std::fmt::Debug {
    fn text(&self) -> &[u8];
    fn ruby(&self, vm: &mut Vm, json: &Json) -> Res;
}

#[derive(Clone)]
pub(crate) struct Saved {
    pub(crate) of: Arc<dyn Holder>,
    pub(crate) outline: Outline,
}

impl Saved {
    fn text(&self) -> &[u8] {
        self.of.text()
    }
    /// The value of a top-level key of the node.
    pub(crate) fn get(&self, vm: &mut Vm, key: &str) -> Res<Option<Value>> {
        self.find(&self.outline.entries, key).map(|value| self.of.ruby(vm, &value)).transpose()
    }
    fn find(&self, entries: &[Small], key: &str) -> Option<Json> {
        let found = entries.iter().find(|entry| key_of(self.text(), entry) == key.as_bytes());
        found.map(|entry| self.value(entry))
    }
    fn value(&self, entry: &Small) -> Json {
        let text = self.text().get(entry[2] as usize..entry[3] as usize);
        text.and_then(|text| serde_json::from_slice(text).ok()).unwrap_or_default()
    }
    fn level(&self, component: Component) -> &[Small] {
        let level = self.outline.levels.iter().find(|(of, _)| *of == component);
        level.map(|(_, level)| &**level).unwrap_or_default()
    }
}

/// The saved attributes of a node that are not parsed yet.
pub(super) struct Waiting {
    saved: Saved,
    /// The components that are not fully parsed.
    components: Vec<Component>,
    /// Attributes of these that were used already, by component and key.
    known: Vec<(Component, String, Value)>,
}

impl Waiting {
    pub(super) fn new(saved: Saved) -> Waiting {
        let components = saved.outline.levels.iter().map(|(component, _)| *component).collect();
        Waiting { saved, components, known: Vec::new() }
    }
    pub(super) fn waits(&self, component: Component) -> bool {
        self.components.contains(&component)
    }
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.known.iter().map(|(_, _, value)| value)
    }
    /// An attribute of a component: the value if it was used already, else its JSON.
    pub(super) fn look(&self, component: Component, key: &str) -> Look {
        if let Some((.., value)) = self.known.iter().find(|(of, known, _)| *of == component && known == key) {
            return Look::Made(value.clone());
        }
        self.saved
            .find(self.saved.level(component), key)
            .map_or(Look::Nothing, |json| Look::Json(self.saved.of.clone(), json))
    }
    pub(super) fn keep(&mut self, component: Component, key: &str, value: Value) {
        self.known.push((component, key.to_string(), value));
    }
    /// All attributes of a component, which then counts as parsed.
    pub(super) fn take(&mut self, component: Component) -> Vec<(String, Look)> {
        let level = if self.waits(component) { self.saved.level(component) } else { &[] };
        let text = self.saved.text();
        let keys = level.iter().map(|entry| String::from_utf8_lossy(key_of(text, entry)).into_owned());
        let all = keys.map(|key| (key.clone(), self.look(component, &key))).collect();
        self.forget(component);
        all
    }
    /// Drops the saved attributes of a component, because it was replaced.
    pub(super) fn forget(&mut self, component: Component) {
        self.components.retain(|waits| *waits != component);
        self.known.retain(|(of, ..)| *of != component);
    }
}

/// The state of an attribute.
pub(super) enum Look {
    Nothing,
    Made(Value),
    Json(Arc<dyn Holder>, Json),
}
