#!/bin/sh
# collect.sh <workspace> <folder>: copies what a service, or the operator's command line, needs at run time out of a checkout
# that is built and in which only its own modules are installed, and lists them (CycloneDX).
set -eu
service=$1
out=$2

mkdir -p "$out/sbom"
npm sbom --package-lock-only --sbom-format cyclonedx --omit dev -w "@glovebox/$service" > "$out/sbom/$service.cdx.json"

cp -R node_modules "$out/"
# Its binaries for other platforms, and its own tarball.
if [ -d "$out/node_modules/isolated-vm" ]; then
  find "$out/node_modules/isolated-vm/prebuilds" -mindepth 1 -maxdepth 1 ! -name "$(node -p 'process.platform + "-" + process.arch')" \
    -exec rm -rf {} +
  rm -f "$out"/node_modules/isolated-vm/*.tgz
fi

# Workspaces are links among the modules: whatever is linked is needed.
for link in node_modules/@glovebox/*; do
  workspace=$(readlink -f "$link" | sed "s#^$PWD/##")
  mkdir -p "$out/$workspace"
  cp "$workspace/package.json" "$out/$workspace/"
  cp -R "$workspace/dist" "$out/$workspace/"
  # Modules of which others have another version, and what it reads at run time.
  for folder in node_modules migrations document; do
    if [ -d "$workspace/$folder" ]; then cp -R "$workspace/$folder" "$out/$workspace/"; fi
  done
done
find "$out" -name '*.map' -delete
# The operator's commands, in every image by the name `glovebox`.
cli=$(readlink -f "node_modules/@glovebox/$service" | sed "s#^$PWD/##")/dist/cli.js
test -f "$out/$cli"
printf '#!/usr/local/bin/node\nimport "./%s";\n' "$cli" > "$out/cli.mjs"
chmod 0555 "$out/cli.mjs"
# For server reflection.
if [ -d "$out/protos/dist" ]; then find protos -name '*.proto' -exec cp --parents {} "$out/" \;; fi
cp LICENSE "$out/"
# What V8 has compiled: of files that are at the same place in the image.
if [ -d "services/$service" ]; then
  node deploy/images/compile-ahead.mjs "$service" "$out/compile-cache"
  chown -R 0:0 "$out/compile-cache"
fi
# Nothing of it is for anyone to change; everybody may read it.
chmod -R a+rX,go-w "$out"
