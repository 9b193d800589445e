import { readFileSync } from 'node:fs';

import { environmentText } from './environment-text.ts';

const moduleHead = '(function (exports, require, module, process, internalBinding, primordials) {';
const contextHead = '(function (exports, primordials, privateSymbols, perIsolateSymbols) {';

/**
 * Scripts by name, each of which has a function as its value: the modules of Node's library, and `environment`, which makes the
 * environment.
 * @param file as prepare-library.ts writes it; without one there is nothing.
 */
export function readLibrary(file: string | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const modules: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  return new Map([...Object.entries(modules).map(wrapped), ['environment', environmentText()]]);
}

function wrapped([name, code]: [string, string]): [string, string] {
  return [name, `${name.startsWith('internal/per_context/') ? contextHead : moduleHead}${code}\n})`];
}
