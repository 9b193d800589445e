// Compares the contracts, or those of another folder, with the version before: two neighbouring versions run side by side.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { previousCommit } from './previous-commit.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? fileURLToPath(new URL('.', import.meta.url));
const commit = previousCommit(checkout, [':(glob)protos/**/*.proto']);
if (commit === undefined) {
  console.log('check-breaking: there is no history to compare the contracts with');
} else {
  using previous = mkdtempDisposableSync(join(tmpdir(), 'glovebox-protos-'));
  const archive = execFileSync('git', ['archive', commit, 'protos'], { cwd: checkout });
  execFileSync('tar', ['-x', '-C', previous.path], { input: archive });
  const { status } = spawnSync('buf', ['breaking', '--against', join(previous.path, 'protos')], {
    cwd: folder,
    stdio: 'inherit',
  });
  console.log(`check-breaking: compared with ${commit.slice(0, 8)}`);
  process.exitCode = status ?? 1;
}
