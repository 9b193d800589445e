import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { logDirectory } from './places.ts';

/** Starts an empty log file for each name; that of the run before becomes `<name>.log.1`. */
export function rotateLogs<N extends string>(stateDir: string, names: readonly N[]): Record<N, string> {
  const directory = logDirectory(stateDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const files = names.map((name) => {
    const path = join(directory, `${name}.log`);
    if (existsSync(path)) renameSync(path, `${path}.1`);
    writeFileSync(path, '', { mode: 0o600 });
    return [name, path] as const;
  });
  return Object.fromEntries(files) as Record<N, string>;
}
