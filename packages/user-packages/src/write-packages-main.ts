import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';

import { bundlePackages } from './bundle.ts';
import { licencesOf } from './licences.ts';
import { licencesFile, packFile, writePack } from './pack.ts';

const [, , folder = '.'] = process.argv;
setPriority(10);
const { folders, ...contents } = await bundlePackages();
await writePack(path.join(folder, packFile), contents);
await writeFile(path.join(folder, licencesFile), licencesOf(folders));
