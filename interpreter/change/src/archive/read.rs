//! Reading archives: zip and tar, the latter also compressed with gzip, bzip2, xz or zstd. The format is recognized by the content.

use crate::error::ChangeError;
use flate2::read::MultiGzDecoder;
use rchef_host::{FileHandle, Host, OpenFlags, Seek, Time};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, Read};

/// Block size of a tar archive.
const BLOCK: usize = 512;

/// Memory limit for xz in KiB: the dictionary of `xz -9`, with a margin.
const XZ_MEMORY: u32 = 256 << 10;

/// Unsupported formats, recognized by their magic numbers only to be named in the error.
const REFUSED: &[(&[u8], &str)] = &[
    (b"7z\xBC\xAF\x27\x1C", "7-Zip"),
    (b"Rar!", "RAR"),
    (b"0707", "cpio"),
    (b"xar!", "xar"),
    (b"!<arch>", "ar"),
    (b"MSCF", "cabinet"),
    (b"\x1f\x9d", "compress"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"LZIP", "lzip"),
    (b"\x5d\x00\x00", "lzma"),
];

/// The type of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Directory,
    /// The target of a symbolic link.
    Symlink(Vec<u8>),
    /// The earlier entry that a hard link names.
    HardLink(Vec<u8>),
    /// A device, FIFO or similar file.
    Special,
}

#[derive(Clone, Debug)]
pub struct Entry {
    /// The path in the archive.
    pub name: Vec<u8>,
    pub kind: Kind,
    pub mode: u32,
    /// The owner's ID and name.
    pub user: (u32, Option<Vec<u8>>),
    /// The group's ID and name.
    pub group: (u32, Option<Vec<u8>>),
    pub modified: Time,
}

/// Called with an entry and its content.
pub type Visit<'a> = &'a mut dyn FnMut(&Entry, &mut dyn Read) -> Result<(), ChangeError>;

/// Reads the entries of an archive in order.
///
/// # Errors
/// The archive cannot be read or has an unsupported format, or `visit` fails.
pub fn each_entry(host: &dyn Host, path: &[u8], visit: Visit<'_>) -> Result<(), ChangeError> {
    let mut file = HostFile(host.open(path, OpenFlags::RDONLY, 0)?);
    let shown = String::from_utf8_lossy(path).into_owned();
    let broken = |error: io::Error| refused(format!("the archive {shown} cannot be read: {error}"));
    let head = head_of(&mut file).map_err(broken)?;
    io::Seek::rewind(&mut file).map_err(broken)?;
    let unpacked: Box<dyn Read> = match &head[..] {
        [b'P', b'K', 3 | 5, 4 | 6, ..] => return zip(&shown, file, visit),
        [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(file)),
        [b'B', b'Z', b'h', ..] => Box::new(bzip2::read::MultiBzDecoder::new(file)),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Box::new(lzma_rust2::XzReader::new_mem_limit(file, true, XZ_MEMORY)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Box::new(Frames::new(file)),
        _ => Box::new(file),
    };
    let mut unpacked = BufReader::new(unpacked);
    let head = head_of(&mut unpacked).map_err(broken)?;
    if !is_tar(&head) {
        let known = REFUSED.iter().find(|(magic, _)| head.starts_with(magic));
        return Err(refused(match known {
            Some((_, name)) => {
                format!("{shown} is a {name} archive: rchef unpacks tar (gzip, bzip2, xz, zstd) and zip")
            }
            None => format!("{shown} is no archive that rchef knows: it unpacks tar (gzip, bzip2, xz, zstd) and zip"),
        }));
    }
    tar(&shown, io::Cursor::new(head).chain(unpacked), visit)
}

/// Reads the entries of a plain tar archive in order, as it comes from a pipe; `shown` names it.
///
/// # Errors
/// It cannot be read; what `visit` gives.
pub(crate) fn each_entry_of(shown: &str, pipe: Box<dyn FileHandle>, visit: Visit<'_>) -> Result<(), ChangeError> {
    tar(shown, BufReader::new(HostFile(pipe)), visit)
}

fn refused(message: String) -> ChangeError {
    ChangeError::raise("RuntimeError", message)
}

/// The first block, or the whole file if it is shorter.
fn head_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(BLOCK);
    reader.take(BLOCK as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a block is a tar header: it has a valid checksum, or is all zeros, as at the end of an archive.
fn is_tar(block: &[u8]) -> bool {
    if block.len() < BLOCK {
        return false;
    }
    let field = String::from_utf8_lossy(&block[148..156]).into_owned();
    let said = u32::from_str_radix(field.trim_matches([' ', '\0']), 8);
    let spaces = 8 * u32::from(b' ');
    let others: u32 = block[..148].iter().chain(&block[156..]).map(|byte| u32::from(*byte)).sum();
    said == Ok(others + spaces) || block.iter().all(|byte| *byte == 0)
}

fn tar(shown: &str, reader: impl Read, visit: Visit<'_>) -> Result<(), ChangeError> {
    let broken = |error: io::Error| refused(format!("the archive {shown} cannot be read: {error}"));
    let mut archive = tar::Archive::new(reader);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let mut modified = Time { secs: entry.header().mtime().map_err(broken)? as i64, nanos: 0 };
        if let Some(extensions) = entry.pax_extensions().map_err(broken)? {
            for extension in extensions.filter_map(Result::ok).filter(|extension| extension.key_bytes() == b"mtime") {
                modified = time_of(&String::from_utf8_lossy(extension.value_bytes())).unwrap_or(modified);
            }
        }
        let link = entry.link_name_bytes().map(|link| link.into_owned()).unwrap_or_default();
        let header = entry.header();
        let kind = match header.entry_type() {
            tar::EntryType::Directory => Kind::Directory,
            tar::EntryType::Symlink => Kind::Symlink(link),
            tar::EntryType::Link => Kind::HardLink(link),
            tar::EntryType::Block | tar::EntryType::Char | tar::EntryType::Fifo => Kind::Special,
            tar::EntryType::XGlobalHeader => continue,
            _ if entry.path_bytes().ends_with(b"/") => Kind::Directory,
            _ => Kind::File,
        };
        let name_of = |name: Option<&[u8]>| name.filter(|name| !name.is_empty()).map(<[u8]>::to_vec);
        let described = Entry {
            name: entry.path_bytes().into_owned(),
            kind,
            mode: header.mode().map_err(broken)? & 0o7777,
            user: (header.uid().map_err(broken)? as u32, name_of(header.username_bytes())),
            group: (header.gid().map_err(broken)? as u32, name_of(header.groupname_bytes())),
            modified,
        };
        visit(&described, &mut entry)?;
    }
    Ok(())
}

/// Parses seconds with an optional fraction.
fn time_of(text: &str) -> Option<Time> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: String = fraction.chars().chain(std::iter::repeat('0')).take(9).collect();
    Some(Time { secs: whole.parse().ok()?, nanos: digits.parse().ok()? })
}

fn zip(shown: &str, file: HostFile, visit: Visit<'_>) -> Result<(), ChangeError> {
    let broken = |error: zip::result::ZipError| refused(format!("the archive {shown} cannot be read: {error}"));
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(broken)?;
        let name = entry.name_raw().to_vec();
        let is_dir = name.ends_with(b"/");
        // the archive may come from a system without permission bits
        let mode = entry.unix_mode().filter(|mode| *mode != 0);
        let kind = match mode.map(|mode| mode & 0o170_000) {
            Some(0o120_000) => {
                let mut target = Vec::new();
                let read = entry.by_ref().take(1 << 16).read_to_end(&mut target);
                read.map_err(|error| refused(format!("the archive {shown} cannot be read: {error}")))?;
                Kind::Symlink(target)
            }
            _ if is_dir => Kind::Directory,
            _ => Kind::File,
        };
        let described = Entry {
            name,
            mode: mode.map_or(if is_dir { 0o775 } else { 0o664 }, |mode| mode & 0o7777),
            kind,
            user: (0, None),
            group: (0, None),
            modified: Time { secs: zip_time(&entry), nanos: 0 },
        };
        visit(&described, &mut entry)?;
    }
    Ok(())
}

/// The entry's time in UTC if it has one, else its DOS date, taken as UTC.
fn zip_time<R: Read>(entry: &zip::read::ZipFile<'_, R>) -> i64 {
    for field in entry.extra_data_fields() {
        if let zip::ExtraField::ExtendedTimestamp(stamp) = field
            && let Some(seconds) = stamp.mod_time()
        {
            return i64::from(seconds.cast_signed());
        }
    }
    let Some(date) = entry.last_modified() else { return 0 };
    let (year, month, day) = (i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
    // days since 1970 in the Gregorian calendar, computed with years that start in March
    let (year, shifted) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * shifted + 2) / 5 + day - 1 - 719_468;
    days * 86400 + i64::from(date.hour()) * 3600 + i64::from(date.minute()) * 60 + i64::from(date.second())
}

/// Adapts a file handle of the host to `Read` and `Seek`.
struct HostFile(Box<dyn FileHandle>);

impl Read for HostFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer, None).map_err(|error| io::Error::from_raw_os_error(error.errno))
    }
}

impl io::Seek for HostFile {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let to = match to {
            io::SeekFrom::Start(offset) => Seek::Set(offset),
            io::SeekFrom::Current(offset) => Seek::Current(offset),
            io::SeekFrom::End(offset) => Seek::End(offset),
        };
        self.0.seek(to).map_err(|error| io::Error::from_raw_os_error(error.errno))
    }
}

/// Reads all frames of a zstd file.
struct Frames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    /// Whether a frame is being read.
    inside: bool,
}

impl<R: Read> Frames<R> {
    fn new(source: R) -> Frames<R> {
        Frames { source: BufReader::new(source), decoder: FrameDecoder::new(), inside: false }
    }

    /// Starts the next frame; false at the end of the file.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.inside {
                self.inside = self.next_frame()?;
                if !self.inside {
                    return Ok(0);
                }
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if self.decoder.is_finished() {
                self.inside = false;
                continue;
            }
            let part = BlockDecodingStrategy::UptoBytes(1 << 16);
            self.decoder.decode_blocks(&mut self.source, part).map_err(io::Error::other)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_fractions() {
        assert_eq!(time_of("12.5"), Some(Time { secs: 12, nanos: 500_000_000 }));
        assert_eq!(time_of("12"), Some(Time { secs: 12, nanos: 0 }));
        assert_eq!(time_of("x"), None);
    }

    #[test]
    fn headers_of_tar_are_recognized_by_their_sum() {
        let mut header = tar::Header::new_ustar();
        header.set_size(3);
        header.set_cksum();
        assert!(is_tar(header.as_bytes()));
        let mut wrong = *header.as_bytes();
        wrong[0] = b'x';
        assert!(!is_tar(&wrong));
        assert!(!is_tar(b"short"));
    }
}
