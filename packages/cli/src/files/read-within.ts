import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

import { CliError } from '../terminal/cli-error.ts';

/** The text of a file in the folder (see {@link pathWithin}). @throws CliError that names `place` */
export function readWithin(folder: string, path: string, place: string, maxBytes: number): string {
  return readFileSync(pathWithin(folder, path, place, maxBytes), 'utf8');
}

/**
 * The absolute path of a file in the folder. A path that leads out of it, also by a link, is refused: a folder of others must
 * not send your files to the service.
 * @param path as it is in the file
 * @param maxBytes of the file
 * @throws CliError that names `place`
 */
export function pathWithin(folder: string, path: string, place: string, maxBytes: number): string {
  const refuse = (problem: string) => new CliError(`${place}: ${path} ${problem}`);
  if (path === '' || path.includes('\0') || isAbsolute(path)) throw refuse('is not a path in the folder');
  let real;
  try {
    real = realpathSync(join(folder, path));
  } catch {
    throw refuse('is not there');
  }
  const inside = relative(realpathSync(folder), real);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw refuse('leads out of the folder');
  }
  const facts = statSync(real);
  if (!facts.isFile()) throw refuse('is not a file');
  if (facts.size > maxBytes) throw refuse(`is larger than ${maxBytes} bytes`);
  return real;
}
