import { SourceMap } from 'node:module';
import { normalize } from 'node:path';

import type { transformSync } from '@swc/wasm-typescript';

import { isObject, plainText } from '../api/json.ts';
import { CliError, messageOf } from '../terminal/cli-error.ts';

/** A place in a code file; line and column from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A code file, and what the service gets of it. */
export interface CodeFile {
  /** As its user wrote it, without a leading `./`. */
  readonly path: string;
  readonly text: string;
  /** JavaScript. */
  readonly code: string;
  /** The place in the file from which a place of the code comes; undefined for what the compiler has added. */
  readonly placeOf: (place: Place) => Place | undefined;
}

/** @throws CliError that names the file, and the line that is no TypeScript */
export type CompileCode = (path: string, text: string) => CodeFile;

/**
 * What makes JavaScript of code files. Its compiler of TypeScript (swc, as WebAssembly) is loaded only where it is needed: that takes
 * longer than most commands.
 */
export async function codeCompiler(needsTypeScript: boolean): Promise<CompileCode> {
  const { default: swc } = needsTypeScript ? await import('@swc/wasm-typescript') : { default: undefined };
  return (written, text) => {
    const path = normalize(written);
    if (!isTypeScript(path)) return { path, text, code: text, placeOf: (place) => place };
    if (swc === undefined) throw new Error('the compiler of TypeScript is not loaded');
    return compileTypeScript(path, text, swc.transformSync);
  };
}

export function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

/** Types are removed; enums, namespaces, parameter properties, `import =` and `export =` become JavaScript. */
function compileTypeScript(path: string, text: string, transform: typeof transformSync): CodeFile {
  let compiled;
  try {
    compiled = transform(text, {
      mode: 'transform',
      filename: path,
      sourceMap: true,
      // `export {}`, which a file of nothing but type imports would get, is no CommonJS.
      transform: { noEmptyExport: true },
    });
  } catch (error) {
    throw new CliError(problemOf(path, error));
  }
  const map = new SourceMap(JSON.parse(compiled.map ?? ''));
  return { path, text, code: compiled.code, placeOf: (place) => placeBefore(map, place) };
}

function placeBefore(map: SourceMap, { line, column }: Place): Place | undefined {
  const found = map.findEntry(line - 1, column - 1);
  if (!('originalLine' in found)) return undefined;
  return { line: found.originalLine + 1, column: found.originalColumn + 1 };
}

/** The compiler throws objects with a place whose line is from 1 and whose column is from 0. */
function problemOf(path: string, thrown: unknown): string {
  if (!isObject(thrown)) return `${path}: ${messageOf(thrown).trim()}`;
  const { message, startLine, startColumn } = thrown;
  const place =
    typeof startLine === 'number' && typeof startColumn === 'number'
      ? `:${startLine}:${startColumn + 1}`
      : '';
  return `${path}${place}: ${plainText(message)}`;
}
