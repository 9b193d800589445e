// keep-own-dependencies.mjs <workspace>: what the workspace depends on is at its build only, but for workspaces.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(process.argv[2], 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const own = Object.entries(manifest.dependencies).filter(([name]) => name.startsWith('@glovebox/'));
writeFileSync(file, JSON.stringify({ ...manifest, dependencies: Object.fromEntries(own) }, null, 2));
