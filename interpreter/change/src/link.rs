//! Symbolic and hard links.

use crate::{Description, Result, Why, lossy};
use rchef_host::{Host, compose};

#[derive(Clone, Debug)]
pub struct MakeLink {
    /// The path of the link.
    pub path: Vec<u8>,
    /// The target.
    pub to: Vec<u8>,
    /// Symbolic rather than hard.
    pub symbolic: bool,
}

impl MakeLink {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        if self.symbolic {
            host.symlink(&self.to, &self.path)?
        } else {
            host.link(&self.to, &self.path)?
        }
        Ok(())
    }
    pub(crate) fn describe(&self) -> Description {
        let kind = if self.symbolic { "make_symlink" } else { "make_hard_link" };
        Description::new(kind, lossy(&self.path), Why::Absent).with("to", None, Some(lossy(&self.to)))
    }
}

#[derive(Clone, Debug)]
pub struct RemoveLink {
    pub path: Vec<u8>,
    /// Whether another link will replace it.
    pub replaced: bool,
}

impl RemoveLink {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        Ok(compose::unlink(host, &self.path)?)
    }
    pub(crate) fn describe(&self) -> Description {
        let why = if self.replaced { Why::Differs } else { Why::Present };
        Description::new("remove_link", lossy(&self.path), why)
    }
}
