#!/bin/sh
# Makes an archive with a static binary for Linux, the manual pages and the completions.
#     sh docs/distribution/static.sh [TARGET]
# Needs the Rust target (`rustup target add x86_64-unknown-linux-musl`) and nothing else: no library
# of the program is in C. Leaves planner-VERSION-TARGET.tar.gz and its SHA-256 in target/dist.
set -eu
cd "$(dirname "$0")/../.."
target=${1:-x86_64-unknown-linux-musl}
cargo build --locked --profile dist --target "$target"
planner=target/$target/dist/planner
version=$("$planner" --version | cut -d ' ' -f 2)
name=planner-$version-$target
folder=target/dist/$name
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
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C target/dist -cf - "$name" | gzip -n > "target/dist/$name.tar.gz"
(cd target/dist && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "target/dist/$name.tar.gz"
