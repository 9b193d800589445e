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
// The process that started this one holds the other end, which closes when that process ends.
process.stdin.on('end', () => process.exit(1)).resume();
// A low priority, so that serving runners come first. A process may not raise its priority if it is lower already.
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
