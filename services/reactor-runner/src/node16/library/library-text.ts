import { readFileSync } from 'node:fs';

/**
 * Scripts by name, each of which has a function as its value: the modules of Node's library, and `environment`, which makes the
 * environment.
 * @param file as prepare-library.ts writes it; without one there is nothing.
 */
export function readLibrary(file: string | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const scripts: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(Object.entries(scripts));
}
