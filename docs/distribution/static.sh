#!/bin/sh
# Makes an archive with a static binary for Linux, the manual pages and the completions.
#     sh docs/distribution/static.sh [TARGET]
# Needs the Rust target (`rustup target add x86_64-unknown-linux-musl`) and nothing else: no library
# of the program is in C. Where that target can't be had, x86_64-unknown-linux-gnu with a static glibc
# (libc.a, in Debian's libc6-dev) does as well: the program looks up no names and no users. Leaves planner-VERSION-TARGET.tar.gz and its SHA-256 in dist/ of the target
# folder, which is target/ or $CARGO_TARGET_DIR.
set -eu
cd "$(dirname "$0")/../.."
target=${1:-x86_64-unknown-linux-musl}
if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    echo "static.sh: Rust has no target $target here: rustup target add $target," >&2
    echo "or name one that it has: sh docs/distribution/static.sh x86_64-unknown-linux-gnu" >&2
    exit 1
fi
case $target in
    *-gnu) export RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static" ;;
esac
cargo build --locked --profile dist --bin planner --target "$target"
built=${CARGO_TARGET_DIR:-target}
planner=$built/$target/dist/planner
version=$("$planner" --version | cut -d ' ' -f 2)
name=planner-$version-$target
folder=$built/dist/$name
rm -rf "$folder"
mkdir -p "$folder/man" "$folder/completions"
cp "$planner" LICENSE README.md "$folder"
"$planner" man > "$folder/man/planner.1"
for command in $("$planner" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    [ "$command" = help ] || "$planner" man "$command" > "$folder/man/planner-$command.1"
done
for shell in bash zsh fish elvish powershell; do
    "$planner" completions "$shell" > "$folder/completions/planner.$shell"
done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$built/dist" -cf - "$name" | gzip -n > "$built/dist/$name.tar.gz"
(cd "$built/dist" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$built/dist/$name.tar.gz"
