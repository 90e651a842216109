//! Files that rchef keeps for its own later runs.

use crate::describe::{Description, Why};
use crate::error::ChangeError;
use rchef_host::Host;
use rchef_host::compose::{self, Finish};
use rchef_host::files;

/// Writes a file in rchef's cache. It does not belong to the resource's state, so it is not shown and the resource does not count as updated.
#[derive(Clone, Debug)]
pub struct Remember {
    pub path: Vec<u8>,
    pub content: Vec<u8>,
}

impl Remember {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<(), ChangeError> {
        compose::create_dir_all(host, files::dirname(&self.path), 0o755)?;
        let finish = Finish { mode: Some(0o640), ..Finish::default() };
        Ok(compose::atomic_write(host, &self.path, &self.content, finish)?)
    }
    pub(crate) fn describe(&self) -> Description {
        Description::new("remember", String::from_utf8_lossy(&self.path), Why::Asked)
    }
}
