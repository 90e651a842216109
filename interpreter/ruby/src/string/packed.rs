//! Storage of a String: bytes, encoding and code range in 24 bytes. Up to [`SHORT`] bytes lie in the value itself, so that most Strings need no block of
//! their own; more are in a vector, whose pointer, length and capacity lie in the same place.
#![allow(unsafe_code)] // one place for either bytes or the parts of a vector

use rchef_text::encoding::{CodeRange, Encoding};
use std::borrow::Cow;
use std::cell::Cell;
use std::mem::{ManuallyDrop, MaybeUninit, size_of};
use std::ops::{Deref, DerefMut};

/// Maximum number of bytes that need no vector.
pub const SHORT: usize = 22;
/// The length in `state` of bytes in a vector.
const LONG: u8 = 31;
/// The bits of `state` with the length; those above have the code range.
const LENGTH: u8 = 31;
const RANGE: u32 = 5;
/// Minimum capacity of a vector that is made because bytes are appended.
const GROWN: usize = 2 * (SHORT + 2);

/// The parts of a vector, or the first [`SHORT`] bytes of the value; in the layout of C, so that they are adjacent.
#[repr(C)]
pub struct Packed {
    /// Bytes, or the address and length of a vector.
    words: [MaybeUninit<u64>; 2],
    /// Bytes, or the capacity of a vector, lowest part first.
    capacity: [MaybeUninit<u16>; 3],
    pub(super) encoding: Encoding,
    /// The number of bytes or [`LONG`], and the code range.
    state: Cell<u8>,
}

const _: () = assert!(size_of::<Packed>() == 24 && size_of::<usize>() == 8);

impl Packed {
    #[inline(always)]
    pub(super) const fn empty(encoding: Encoding) -> Packed {
        Packed {
            words: [MaybeUninit::uninit(); 2],
            capacity: [MaybeUninit::uninit(); 3],
            encoding,
            state: Cell::new(0),
        }
    }

    #[inline]
    pub(super) fn new<'a>(bytes: impl Into<Cow<'a, [u8]>>, encoding: Encoding) -> Packed {
        let mut made = Packed::empty(encoding);
        match bytes.into() {
            Cow::Borrowed(bytes) if bytes.len() <= SHORT => made.put_short(bytes),
            Cow::Borrowed(bytes) => made.put(bytes.to_vec()),
            Cow::Owned(bytes) => made.put(bytes),
        }
        made
    }

    #[inline(always)]
    fn is_long(&self) -> bool {
        self.state.get() & LENGTH == LONG
    }

    /// Address, length and capacity of the vector.
    ///
    /// # Safety
    /// [`Packed::is_long`].
    #[inline(always)]
    unsafe fn parts(&self) -> (*mut u8, usize, usize) {
        // SAFETY: `put` has written all of them; the first word has the type of the pointer that was written.
        unsafe {
            let address = *self.words.as_ptr().cast::<*mut u8>();
            let [low, middle, high] = self.capacity.map(|part| part.assume_init() as usize);
            (address, self.words[1].assume_init() as usize, low | middle << 16 | high << 32)
        }
    }

    #[inline(always)]
    pub(super) fn bytes(&self) -> &[u8] {
        let length = (self.state.get() & LENGTH) as usize;
        // SAFETY: the parts are those of a vector that this value owns; or the value begins with this many bytes, which `put_short` has written.
        unsafe {
            if length == LONG as usize {
                let (address, length, _) = self.parts();
                std::slice::from_raw_parts(address, length)
            } else {
                std::slice::from_raw_parts(std::ptr::from_ref(self).cast(), length)
            }
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        let length = self.state.get() & LENGTH;
        // SAFETY: the length is that of the vector.
        if length == LONG { unsafe { self.words[1].assume_init() as usize } } else { length as usize }
    }

    fn set_length(&self, length: u8) {
        self.state.set(self.state.get() & !LENGTH | length);
    }

    /// Writes at most [`SHORT`] bytes over contents that own nothing.
    #[inline(always)]
    fn put_short(&mut self, bytes: &[u8]) {
        // SAFETY: the value begins with space for `SHORT` bytes, which do not overlap borrowed ones.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), std::ptr::from_mut(self).cast(), bytes.len());
        }
        self.set_length(bytes.len() as u8);
    }

    /// Moves a vector over contents that own nothing.
    fn put(&mut self, bytes: Vec<u8>) {
        if bytes.len() <= SHORT {
            return self.put_short(&bytes);
        }
        let mut bytes = ManuallyDrop::new(bytes);
        let capacity = bytes.capacity();
        // SAFETY: there is space for an address.
        unsafe { self.words.as_mut_ptr().cast::<*mut u8>().write(bytes.as_mut_ptr()) };
        self.words[1].write(bytes.len() as u64);
        // no address space has more than 48 bits for a program
        self.capacity = [0, 16, 32].map(|shift| MaybeUninit::new((capacity >> shift) as u16));
        self.set_length(LONG);
    }

    /// The bytes as a vector with room for `more`; nothing is left.
    fn take(&mut self, more: usize) -> Vec<u8> {
        let taken = if self.is_long() {
            // SAFETY: these are the parts of a vector that this value owns, and does not own any more.
            unsafe {
                let (address, length, capacity) = self.parts();
                Vec::from_raw_parts(address, length, capacity)
            }
        } else {
            let bytes = self.bytes();
            let room = if more > 0 { (bytes.len() + more).max(GROWN) } else { bytes.len() };
            let mut taken = Vec::with_capacity(room);
            taken.extend_from_slice(bytes);
            taken
        };
        self.set_length(0);
        taken
    }

    /// The bytes, to be changed in any way.
    pub(super) fn edit(&mut self) -> Edit<'_> {
        Edit { bytes: self.take(0), of: self }
    }

    pub(super) fn into_vec(mut self) -> Vec<u8> {
        self.take(0)
    }

    #[inline]
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        let length = (self.state.get() & LENGTH) as usize;
        if length + bytes.len() <= SHORT {
            // SAFETY: the value begins with space for `SHORT` bytes, `length` of which are in use; it is borrowed mutably, so `bytes` are elsewhere.
            unsafe {
                let to = std::ptr::from_mut(self).cast::<u8>().add(length);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
            }
            self.state.set(self.state.get() + bytes.len() as u8);
            return;
        }
        if length == LONG as usize {
            // SAFETY: these are the parts of a vector that this value owns; it is borrowed mutably, so `bytes` are elsewhere.
            unsafe {
                let (address, length, capacity) = self.parts();
                if capacity - length >= bytes.len() {
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), address.add(length), bytes.len());
                    self.words[1].write((length + bytes.len()) as u64);
                    return;
                }
            }
        }
        self.grow(bytes);
    }

    /// Appends bytes for which there is no space.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, bytes: &[u8]) {
        let mut all = self.take(bytes.len());
        all.extend_from_slice(bytes);
        self.put(all);
    }

    /// The cached code range.
    #[inline(always)]
    pub(super) fn range(&self) -> Option<CodeRange> {
        match self.state.get() >> RANGE {
            1 => Some(CodeRange::Ascii),
            2 => Some(CodeRange::Valid),
            3 => Some(CodeRange::Broken),
            _ => None,
        }
    }

    #[inline(always)]
    pub(super) fn set_range(&self, range: Option<CodeRange>) {
        let bits = match range {
            None => 0,
            Some(CodeRange::Ascii) => 1,
            Some(CodeRange::Valid) => 2,
            Some(CodeRange::Broken) => 3,
        };
        self.state.set(self.state.get() & LENGTH | bits << RANGE);
    }
}

impl Clone for Packed {
    fn clone(&self) -> Packed {
        let made = Packed::new(self.bytes(), self.encoding);
        made.set_range(self.range());
        made
    }
}

impl Drop for Packed {
    #[inline]
    fn drop(&mut self) {
        if self.is_long() {
            drop(self.take(0));
        }
    }
}

/// The bytes of a String as a vector; they are put back when it is dropped.
pub struct Edit<'a> {
    bytes: Vec<u8>,
    of: &'a mut Packed,
}

impl Deref for Edit<'_> {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Edit<'_> {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        self.of.put(std::mem::take(&mut self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of each length around the border survive what can be done to them.
    #[test]
    fn short_and_long_bytes_are_the_same_to_users() {
        for length in 0..3 * SHORT {
            let text: Vec<u8> = (0..length).map(|at| b'a' + (at % 26) as u8).collect();
            let (owned, borrowed) = (Packed::new(text.clone(), Encoding::Utf8), Packed::new(&text[..], Encoding::Utf8));
            assert_eq!((owned.bytes(), owned.len()), (&text[..], length));
            assert_eq!(borrowed.bytes(), text);
            assert_eq!(owned.clone().into_vec(), text);
            for more in 0..2 * SHORT {
                let mut grown = Packed::new(&text[..], Encoding::Utf8);
                grown.set_range(Some(CodeRange::Ascii));
                grown.extend(&vec![b'z'; more]);
                assert_eq!((grown.len(), grown.range()), (length + more, Some(CodeRange::Ascii)));
                grown.edit().truncate(length);
                assert_eq!(grown.bytes(), text);
            }
        }
    }

    #[test]
    fn the_code_range_is_beside_the_length() {
        let bytes = Packed::new(&b"0123456789012345678901"[..], Encoding::Binary);
        for range in [None, Some(CodeRange::Ascii), Some(CodeRange::Valid), Some(CodeRange::Broken)] {
            bytes.set_range(range);
            assert_eq!((bytes.range(), bytes.len(), bytes.encoding), (range, SHORT, Encoding::Binary));
        }
    }
}
