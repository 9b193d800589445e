// Compares the contracts with the last released ones: the last tag, or HEAD while nothing is tagged.
import { spawnSync } from 'node:child_process';

const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' });

const tag = git('describe', '--tags', '--abbrev=0');
const base = tag.status === 0 ? tag.stdout.trim() : 'HEAD';
if (git('cat-file', '-e', `${base}:protos/buf.yaml`).status !== 0) {
  console.log(`check-breaking: ${base} holds no contracts yet`);
} else {
  const commit = git('rev-parse', base).stdout.trim();
  const { status } = spawnSync('buf', ['breaking', '--against', `../.git#ref=${commit},subdir=protos`], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
