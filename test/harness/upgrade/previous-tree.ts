import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';

import { previousCommit } from '../../../protos/previous-commit.ts';
import { whatIsNotInstalled } from './not-installed.ts';

/** All that the services run from. */
const parts = ['package.json', 'package-lock.json', 'protos', 'packages', 'services', 'deploy/local'];

export interface PreviousTree extends Disposable {
  /** The commit that it is of. */
  readonly commit: string;
  readonly folder: string;
}

/**
 * Unpacks the version before this one, or the one that UPGRADE_FROM names, to be run beside it. What is installed is shared, the
 * packages of this project are its own.
 *
 * @returns why there is none, or it could not run, in words
 */
export function unpackPreviousTree(): PreviousTree | string {
  const commit = commitToUpgradeFrom();
  if (commit === undefined) return 'the checkout has no history (a shallow clone, or no git)';
  const folder = mkdtempSync(join(tmpdir(), 'glovebox-previous-'));
  const tree = { commit, folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  // Worker processes of the runner read their files as users of their own.
  chmodSync(folder, 0o755);
  const archive = execFileSync('git', ['archive', commit, ...parts], {
    cwd: checkout,
    maxBuffer: 1 << 30,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const missing = whatIsNotInstalled(folder, checkout);
  if (missing.length > 0) {
    tree[Symbol.dispose]();
    return `${commit.slice(0, 8)} needs other packages than those that are installed: ${missing.join(', ')}`;
  }
  linkModules(folder);
  shareWhatIsPrepared(folder);
  return tree;
}

function commitToUpgradeFrom(): string | undefined {
  const given = process.env['UPGRADE_FROM'];
  if (given === undefined || given === '') return previousCommit(checkout, parts);
  return execFileSync('git', ['rev-parse', '--verify', `${given}^{commit}`], {
    cwd: checkout,
    encoding: 'utf8',
  }).trim();
}

/** Every folder of modules, with links to what is installed here and, for packages of this project, to its own. */
function linkModules(folder: string): void {
  const modules = join(checkout, 'node_modules');
  mkdirSync(join(folder, 'node_modules/@glovebox'), { recursive: true });
  for (const name of readdirSync(modules)) {
    if (name !== '@glovebox') symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  }
  for (const name of readdirSync(join(modules, '@glovebox'))) {
    const target = readlinkSync(join(modules, '@glovebox', name));
    const own = join(folder, 'node_modules/@glovebox', name);
    if (existsSync(join(folder, 'node_modules/@glovebox', target))) symlinkSync(target, own);
  }
  for (const workspace of ['services', 'packages'].flatMap((group) =>
    readdirSync(join(folder, group)).map((name) => join(group, name)),
  )) {
    const nested = join(checkout, workspace, 'node_modules');
    if (existsSync(nested)) symlinkSync(nested, join(folder, workspace, 'node_modules'));
  }
}

/**
 * What is made for user code once, and would take the processors for a minute: the text of Node's library is kept under a name
 * of its contents; the packages of this version stand for those of the other.
 */
function shareWhatIsPrepared(folder: string): void {
  const prepared = 'services/reactor-runner/.glovebox';
  const here = join(checkout, prepared);
  const prepare = join(checkout, 'services/reactor-runner/src/prepare-main.ts');
  execFileSync(process.execPath, ['--conditions=source', prepare], { cwd: checkout });
  mkdirSync(join(folder, prepared));
  for (const name of readdirSync(here)) {
    if (name.startsWith('node-')) symlinkSync(join(here, name), join(folder, prepared, name));
  }
  symlinkSync(join(here, packagesOf(checkout)), join(folder, prepared, packagesOf(folder)));
}

/** The name of the folder in which a tree looks for them. */
function packagesOf(tree: string): string {
  const print = `import { packagesKey } from '@glovebox/user-packages/packages-key'; process.stdout.write(packagesKey())`;
  const args = ['--conditions=source', '--input-type=module', '--eval', print];
  return `packages-${execFileSync(process.execPath, args, { cwd: tree, encoding: 'utf8' })}`;
}
