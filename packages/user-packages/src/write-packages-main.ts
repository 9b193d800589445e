import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import path from 'node:path';

import { alone } from './alone.ts';
import { bundlePackages } from './bundle.ts';
import { licencesOf } from './licences.ts';
import { Pack, licencesFile, packFile, writePack } from './pack.ts';

const [, , folder = '.'] = process.argv;
const file = path.join(folder, packFile);
// Whoever has started this holds the other end, and lets go of it when it ends, however it does.
process.stdin.on('end', () => process.exit(1)).resume();
// Runners that serve come first. Who was started further back may not come forward.
setPriority(Math.max(10, getPriority()));
await alone(path.join(folder, 'writing'), isDone, async () => {
  const { folders, ...contents } = await bundlePackages();
  await writeFile(path.join(folder, licencesFile), licencesOf(folders));
  await writePack(file, contents);
});
process.stdin.destroy();

function isDone(): boolean {
  if (!existsSync(file)) return false;
  using pack = new Pack(file);
  return pack.isWhole;
}
