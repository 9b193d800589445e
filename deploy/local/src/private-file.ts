import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { StartProblem } from './problem.ts';

/** Writes a JSON file that only its owner can read. A reader finds the old content or the new, whole. */
export function writePrivateJson(path: string, content: unknown): void {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

/**
 * @returns undefined when there is no such file
 * @throws StartProblem when it can't be read or is no JSON
 */
export function readPrivateJson(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return content;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartProblem(
      `${path} can't be read: ${reason}`,
      'If it belongs to another user, run as that user. If it is damaged, bring back a copy, or move the whole directory away to start empty.',
    );
  }
}
