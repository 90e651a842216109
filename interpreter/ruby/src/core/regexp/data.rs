//! Data of Regexp and MatchData.

use crate::heap::Gc;
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_regexp::{Captures, Regexp};
use rchef_text::encoding::Encoding;
use std::rc::Rc;

/// A Regexp.
#[derive(Clone)]
pub struct RegexpData {
    pub regexp: Rc<Regexp>,
    /// Encoding of the source.
    pub encoding: Encoding,
}

impl NativeData for RegexpData {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}

/// A MatchData.
#[derive(Clone)]
pub struct MatchInfo {
    /// The Regexp, or a String that was searched literally.
    pub pattern: Value,
    /// The compiled pattern, unless it is a String.
    pub regexp: Option<Rc<Regexp>>,
    /// The searched text: frozen, shared by all matches of a search.
    pub text: Gc<RString>,
    /// Byte offsets of the groups.
    pub groups: Captures,
}

impl NativeData for MatchInfo {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.pattern);
    }
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(self.clone()))
    }
}
