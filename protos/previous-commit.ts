import { spawnSync } from 'node:child_process';

/**
 * The version before this one, as far as the given paths of the checkout go: the last tag; while there is none, HEAD if they are
 * changed, and else the last commit in which they were others.
 *
 * @returns undefined where there is no history: in a shallow clone, or without git
 */
export function previousCommit(checkout: string, paths: readonly string[]): string | undefined {
  const git = (...args: readonly string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: checkout, encoding: 'utf8' });
    return status === 0 && stdout !== '' ? stdout.trim() : undefined;
  };
  const isChanged = git('status', '--porcelain', '--', ...paths) !== undefined;
  // A tag's own commit follows the tag before.
  const tag = git('describe', '--tags', '--abbrev=0', isChanged ? 'HEAD' : 'HEAD^');
  if (tag !== undefined) return git('rev-parse', `${tag}^{commit}`);
  if (isChanged) return git('rev-parse', 'HEAD');
  const last = git('log', '-1', '--format=%H', '--', ...paths);
  return last === undefined ? undefined : git('rev-parse', '--verify', '--quiet', `${last}^`);
}
