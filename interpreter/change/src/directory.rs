//! Directories.

use crate::access::AccessChange;
use crate::{Description, Result, SetAccess, Why, lossy};
use rchef_host::{Host, compose};

/// Creates a directory, then sets its owner, group and mode.
#[derive(Clone, Debug)]
pub struct MakeDirectory {
    pub path: Vec<u8>,
    /// Create missing parents with default attributes.
    pub parents: bool,
    pub access: AccessChange,
}

impl MakeDirectory {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        if self.parents {
            compose::create_dir_all(host, &self.path, 0o777)?;
        } else {
            host.mkdir(&self.path, 0o777)?;
        }
        if self.access.is_empty() {
            return Ok(());
        }
        SetAccess { path: self.path.clone(), access: self.access.clone(), link: false }.apply(host)
    }
    pub(crate) fn describe(&self) -> Description {
        self.access.describe(Description::new("make_directory", lossy(&self.path), Why::Absent))
    }
}

#[derive(Clone, Debug)]
pub struct RemoveDirectory {
    pub path: Vec<u8>,
    /// Remove its contents, too; otherwise it must be empty.
    pub recursive: bool,
}

impl RemoveDirectory {
    pub(crate) fn apply(&self, host: &dyn Host) -> Result<()> {
        if self.recursive {
            return Ok(compose::remove_dir_all(host, &self.path)?);
        }
        Ok(host.rmdir(&self.path)?)
    }
    pub(crate) fn describe(&self) -> Description {
        Description::new("remove_directory", lossy(&self.path), Why::Present)
    }
}
