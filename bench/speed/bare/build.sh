#!/usr/bin/env bash
# Builds the bare kernel with and without the paper's clip of inner values, with plain and with relaxed SIMD. Needs
# clang 14 or later and wasm-ld (Debian: apt-get install clang lld). The results are committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

build() {
  local out=$1
  shift
  "${CC:-clang}" --target=wasm32 -O3 -msimd128 -mbulk-memory -fno-math-errno -nostdlib -Wl,--no-entry -Wl,--strip-all \
    -Wl,-z,stack-size=16384 "$@" kernel.c -o "$out"
  chmod 644 "$out"
}

build kernel.wasm -DCLIP=200.0f
build kernel-unclipped.wasm
build kernel-relaxed.wasm -mrelaxed-simd -DRELAXED -DCLIP=200.0f
build kernel-relaxed-unclipped.wasm -mrelaxed-simd -DRELAXED

# Up to clang 16 the fused instructions have the numbers of a draft: 0xaf and 0xb0, which the standard leaves unused,
# for 0x105 and 0x106.
perl -0777 -pi -e 's/\xfd\xaf\x01/\xfd\x85\x02/g; s/\xfd\xb0\x01/\xfd\x86\x02/g' kernel-relaxed*.wasm
