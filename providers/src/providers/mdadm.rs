//! `mdadm`: RAID arrays.

use super::support::*;
use rchef_change::{Assertion, Change, Command, State, Task, Why};
use rchef_host::Host;
use rchef_ruby::{Res, Value, Vm};

pub(crate) struct Mdadm;

/// What an `mdadm` resource asks for.
pub(crate) struct Desired {
    action: &'static str,
    device: String,
    devices: Vec<String>,
    level: i64,
    chunk: i64,
    metadata: String,
    bitmap: Option<String>,
    layout: Option<String>,
}

/// Exit status of mdadm(8) if the array does not exist.
const NOT_FOUND: i64 = 4;
/// Answers to its questions whether to use devices that were in use before.
const YES: &[u8] = b"y\ny\ny\ny\ny\ny\ny\ny\n";

impl Desired {
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = vec!["mdadm".into(), format!("--{}", self.action), self.device.clone()];
        if self.action == "create" {
            words.extend(["--level".into(), self.level.to_string()]);
            if self.level != 1 {
                words.push(format!("--chunk={}", self.chunk));
            }
            words.push(format!("--metadata={}", self.metadata));
            words.extend(self.bitmap.iter().map(|bitmap| format!("--bitmap={bitmap}")));
            words.extend(self.layout.iter().map(|layout| format!("--layout={layout}")));
            words.extend(["--raid-devices".into(), self.devices.len().to_string()]);
        }
        if self.action != "stop" {
            words.extend(self.devices.iter().cloned());
        }
        words
    }
}

impl Provider for Mdadm {
    type Desired = Desired;
    type Current = bool;
    const ACTIONS: &'static [&'static str] = &["create", "assemble", "stop"];

    fn read(vm: &mut Vm, resource: &Value, action: &'static str) -> Res<Desired> {
        let (level, chunk) = (get(vm, resource, "level")?, get(vm, resource, "chunk")?);
        Ok(Desired {
            action,
            device: text(vm, resource, "raid_device")?,
            devices: list(vm, resource, "devices")?,
            level: vm.to_int(&level)?,
            chunk: vm.to_int(&chunk)?,
            metadata: text(vm, resource, "metadata")?,
            bitmap: text_opt(vm, resource, "bitmap")?,
            layout: text_opt(vm, resource, "layout")?,
        })
    }

    fn load(desired: &Desired, host: &dyn Host) -> Looked<bool> {
        if unfit("", "", &desired.device).is_some() {
            return Ok(false);
        }
        let query = Command::system(["mdadm", "--detail", "--test", &desired.device]);
        let ended = Command { returns: vec![0, NOT_FOUND], ..query }.run(host)?;
        Ok(ended.status.success())
    }

    fn requirements(desired: &Desired, _: &bool, _: &dyn Host) -> Looked<Vec<Assertion>> {
        let given = [&desired.device].into_iter().chain(&desired.devices);
        Ok(given.into_iter().find_map(|word| unfit("ArgumentError", "device", word)).into_iter().collect())
    }

    fn plan(desired: &Desired, exists: &bool, _: &dyn Host) -> Looked<Vec<Change>> {
        let stops = desired.action == "stop";
        if *exists != stops {
            return Ok(Vec::new());
        }
        let line = format!("{} RAID device {}", desired.action, desired.device);
        let why = if stops { Why::Present } else { Why::Absent };
        let command = Command { input: Some(YES.to_vec()), ..Command::system(desired.words()) };
        Ok(vec![Change::from(Task::new("mdadm", &desired.device, why, line).run(command))])
    }

    fn state(desired: &Desired, exists: &bool, _host: &dyn Host) -> Vec<(&'static str, State)> {
        vec![("raid_device", State::Text(desired.device.clone())), ("exists", State::Bool(*exists))]
    }
}
