//! The C ABI: functions over the module's own memory.
//!
//! The caller writes a request into memory it got from [`alloc`], hands it to [`call`], reads the reply, and gives the
//! reply's memory back with [`dealloc`].
// The only unsafe code of the project's browser side: the other side of this boundary is JavaScript, which knows
// memory by number. `no_mangle` is unsafe since names could clash: nothing else in the module exports these.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::sync::{Mutex, Once};

use warpchess_wire::{Memory, handle_with};

/// Memory for `len` bytes, zeroed, at the returned address. Give it to [`call`] or to [`dealloc`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn alloc(len: u32) -> *mut u8 {
    keep_panic_messages();
    Box::into_raw(vec![0_u8; len as usize].into_boxed_slice()).cast()
}

/// Frees memory that [`alloc`], [`call`] or [`panic_message`] returned.
///
/// # Safety
/// `ptr` and `len` are as they were returned, and this is the only time they are given back.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dealloc(ptr: *mut u8, len: u32) {
    // SAFETY: by the contract above this slice is one that `Box::into_raw` gave away, with this very length.
    drop(unsafe { owned(ptr, len) });
}

/// Answers the request of `len` bytes at `ptr`, which is freed. The reply's address is in the upper and its length in
/// the lower 32 bits of the result; free it with [`dealloc`].
///
/// # Safety
/// As for [`dealloc`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn call(ptr: *mut u8, len: u32) -> u64 {
    // SAFETY: as in `dealloc`.
    let request = unsafe { owned(ptr, len) };
    given_away(MEMORY.with_borrow_mut(|memory| handle_with(&request, memory)))
}

thread_local! {
    /// The page asks about one game again and again.
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// What went wrong, after [`call`] has trapped: a fault of the program, never of the request. Packed as a reply is.
/// An instance that has trapped is good for nothing else.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn panic_message() -> u64 {
    let message = LAST_PANIC.try_lock().map(|message| message.clone()).unwrap_or_default();
    given_away(message.into_bytes())
}

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

fn keep_panic_messages() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            if let Ok(mut message) = LAST_PANIC.try_lock() {
                *message = info.to_string();
            }
        }));
    });
}

/// Hands bytes to the caller: address and length in one number.
fn given_away(bytes: Vec<u8>) -> u64 {
    let bytes = bytes.into_boxed_slice();
    let len = bytes.len() as u64;
    // Addresses of this target have 32 bits.
    let ptr = Box::into_raw(bytes).cast::<u8>() as u64;
    (ptr << 32) | len
}

/// Takes back what was handed to the caller.
///
/// # Safety
/// As for [`dealloc`].
unsafe fn owned(ptr: *mut u8, len: u32) -> Box<[u8]> {
    // SAFETY: the caller's promise is that of `Box::from_raw`: the slice came from `Box::into_raw`, once.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(ptr, len as usize)) }
}
