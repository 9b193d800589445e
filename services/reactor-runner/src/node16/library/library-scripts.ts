import { createHash } from 'node:crypto';

import { environmentText } from './environment-text.ts';

const moduleHead = '(function (exports, require, module, process, internalBinding, primordials) {';
const contextHead = '(function (exports, primordials, privateSymbols, perIsolateSymbols) {';

/** Of what `libraryScripts` adds to the texts of the modules. */
export function scriptsKey(): string {
  const parts = [moduleHead, contextHead, environmentText()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Scripts by name, as readLibrary reads them. They are made once, so that no worker process has to load the files
 * of `isolate/`.
 * @param modules texts of Node's library by module name
 */
export function libraryScripts(modules: Readonly<Record<string, string>>): Record<string, string> {
  return { ...Object.fromEntries(Object.entries(modules).map(wrapped)), environment: environmentText() };
}

function wrapped([name, code]: [string, string]): [string, string] {
  return [name, `${name.startsWith('internal/per_context/') ? contextHead : moduleHead}${code}\n})`];
}
