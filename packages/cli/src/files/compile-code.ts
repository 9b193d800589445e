import * as nodeModule from 'node:module';

import { CliError, messageOf } from '../terminal/cli-error.ts';

/** Of Node.js 22.13 and newer. */
type Strip = (code: string, options: { mode: 'strip' }) => string;

/**
 * The JavaScript of a code file. Types are replaced by spaces, so every line and column stays where it is in the file, and
 * errors of the service name the place in the file without a source map.
 * @throws CliError that names the file
 */
export function compileCode(path: string, text: string): string {
  if (!/\.[cm]?ts$/.test(path)) return text;
  const { stripTypeScriptTypes: strip }: { readonly stripTypeScriptTypes?: Strip } = nodeModule;
  if (strip === undefined)
    throw new CliError(`${path}: TypeScript needs Node.js 22.13 or newer; this is ${process.version}`);
  try {
    return withoutWarnings(() => strip(text, { mode: 'strip' }));
  } catch (error) {
    throw new CliError(`${path}: ${messageOf(error).trim()}`);
  }
}

/** Node.js warns that its function is experimental, which is nothing for users of this program. */
function withoutWarnings<Result>(run: () => Result): Result {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
