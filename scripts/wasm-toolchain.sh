#!/usr/bin/env bash
# Makes Rust able to build for WebAssembly and writes how into build/wasm-toolchain/env.
#
# The ordinary way is the rustup target. Where it cannot be had, Debian's rustc-web with its own library sources is
# unpacked into build/wasm-toolchain (nothing is installed system-wide) and the standard library is built from them.
# WASM_TOOLCHAIN=rustup or =debian takes only that way; the default tries the first, then the second.
source "$(dirname "$0")/lib.sh"

way=${WASM_TOOLCHAIN:-auto}
dir=$ROOT/build/wasm-toolchain
target=wasm32-unknown-unknown
mkdir -p "$dir"

has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; }

from_rustup() {
    if ! has_target; then
        have rustup || return 1
        say "adding the Rust target $target (rustup)"
        timeout 300 rustup target add "$target" || return 1
        has_target || return 1
    fi
    echo 'WASM_WAY=rustup' >"$dir/env"
}

from_debian() {
    local version libstd llvm deb rustc libs lld
    if [ ! -f "$dir/unpacked" ]; then
        have apt-get && have dpkg || return 1
        say "unpacking Debian's rustc-web into build/wasm-toolchain (about 100 MB to fetch)"
        [ "$(id -u)" -ne 0 ] || apt-get update -qq || return 1
        version=$(apt-cache policy rustc-web | awk '/Candidate/ {print $2}')
        [ -n "$version" ] && [ "$version" != '(none)' ] || return 1
        # The compiler, the sources and the prebuilt library are one version, the LLVM library is the one they name.
        libstd=$(apt-cache depends "libstd-rust-web-dev=$version" | awk '/Depends: libstd-rust-web-[0-9]/ {print $2}')
        llvm=$(apt-cache depends "$libstd=$version" | awk '/Depends: libllvm/ {print $2}')
        [ -n "$libstd" ] && [ -n "$llvm" ] || return 1
        rm -rf "$dir/debs" "$dir/root"
        mkdir -p "$dir/debs" "$dir/root"
        (cd "$dir/debs" && apt-get -o APT::Sandbox::User=root download -qq "rustc-web=$version" "rust-web-src=$version" \
            "libstd-rust-web-dev=$version" "$libstd=$version" "$llvm") || return 1
        for deb in "$dir"/debs/*.deb; do dpkg -x "$deb" "$dir/root" || return 1; done
        rm -rf "$dir/debs"
        echo "$version" >"$dir/unpacked"
    fi
    rustc=$dir/root/usr/bin/rustc
    libs=$(dirname "$(find "$dir/root/usr/lib" -name 'librustc_driver-*.so' | head -n 1)")
    lld=$(find "$(rustc --print sysroot)/lib/rustlib" -path '*/bin/rust-lld' | head -n 1)
    [ -x "$rustc" ] && [ -n "$lld" ] || return 1
    LD_LIBRARY_PATH=$libs "$rustc" --version >/dev/null || return 1
    cat >"$dir/env" <<ENV
WASM_WAY=debian
WASM_BUILD_STD=-Zbuild-std=std,panic_abort
export RUSTC=$rustc
export RUSTC_BOOTSTRAP=1
export LD_LIBRARY_PATH=$libs
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$lld
ENV
}

have rustc || die "Rust is missing: install it from https://rustup.rs, then run this again"
case $way in
auto) from_rustup || from_debian || die "Rust cannot build for WebAssembly here: neither 'rustup target add $target' nor Debian's package rustc-web could be had" ;;
rustup) from_rustup || die "'rustup target add $target' failed" ;;
debian) from_debian || die "Debian's package rustc-web could not be had or does not run here" ;;
*) die "WASM_TOOLCHAIN is '$way'; it may be auto, rustup or debian" ;;
esac
