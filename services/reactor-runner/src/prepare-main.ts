/** Makes what the runner otherwise makes when it first starts: a step of an image's build. Prints where it is. */
import { prepareLibrary } from './node16/library/prepare-library.ts';
import { preparePackages } from './node16/library/prepare-packages.ts';

for (const file of await Promise.all([prepareLibrary(), preparePackages()]))
  process.stdout.write(`${file}\n`);
