//! State of a Regexp and of a MatchData.

use crate::heap::Gc;
use crate::string::RString;
use crate::value::{NativeData, Value};
use rchef_regexp::{Captures, Regexp};
use rchef_text::encoding::Encoding;
use std::rc::Rc;

/// State of a Regexp.
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

/// State of a MatchData.
#[derive(Clone)]
pub struct MatchInfo {
    /// What was searched: a Regexp, or a String that was taken literally.
    pub pattern: Value,
    /// The pattern, unless it was a String.
    pub regexp: Option<Rc<Regexp>>,
    /// What was matched: frozen, shared by the matches of one search.
    pub text: Gc<RString>,
    /// Byte offsets of each group.
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
