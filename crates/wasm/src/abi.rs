//! The C ABI: three functions over the module's own memory.
//!
//! The caller writes a request into memory it got from [`alloc`], hands it to [`call`], reads the reply, and gives the
//! reply's memory back with [`dealloc`].
// The only unsafe code of the project's browser side: the other side of this boundary is JavaScript, which knows
// memory by number.
#![allow(unsafe_code)]

use crate::api;

/// Memory for `len` bytes, zeroed, at the returned address. Give it to [`call`] or to [`dealloc`].
// SAFETY (no_mangle): the names `alloc`, `dealloc` and `call` are exported by nothing else in this module.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn alloc(len: u32) -> *mut u8 {
    Box::into_raw(vec![0; len as usize].into_boxed_slice()).cast()
}

/// Frees memory that [`alloc`] or [`call`] returned.
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
    let reply = api::handle(&request).into_boxed_slice();
    let len = reply.len() as u64;
    // Addresses of this target have 32 bits.
    let ptr = Box::into_raw(reply).cast::<u8>() as u64;
    ptr << 32 | len
}

/// # Safety
/// As for [`dealloc`].
unsafe fn owned(ptr: *mut u8, len: u32) -> Box<[u8]> {
    // SAFETY: the caller's promise is that of `Box::from_raw`: the slice came from `Box::into_raw`, once.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(ptr, len as usize)) }
}
