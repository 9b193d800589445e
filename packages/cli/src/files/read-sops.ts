import { spawnSync } from 'node:child_process';

import { type Json, isObject } from '../api/json.ts';
import { CliError } from '../terminal/cli-error.ts';

/** A value of a file that sops has encrypted: `{sops: PATH, key: NAME}`, or a list of names and indexes that lead to it. */
export interface SopsReference {
  readonly path: string;
  readonly key: readonly (string | number)[];
}

/** Keys may be with a service that is far away; a person may have to enter a passphrase. */
const timeoutMs = 120_000;

/** What sops says by its exit code (cmd/sops/codes). */
const reasons: Readonly<Record<number, string>> = {
  2: 'it cannot read the file',
  25: 'a value of the file does not open',
  51: 'the file was changed without sops: its MAC is wrong',
  52: 'the file has no MAC',
  128: 'none of your keys opens the file',
};

/** Undefined for any other value. */
export function sopsReference(value: Json): SopsReference | undefined {
  if (!isObject(value)) return undefined;
  const { sops: path, key, ...more } = value;
  if (typeof path !== 'string' || Object.keys(more).length > 0) return undefined;
  const parts = (Array.isArray(key) ? key : [key]).map(keyPart);
  const names = parts.filter((part) => part !== undefined);
  return names.length > 0 && names.length === parts.length ? { path, key: names } : undefined;
}

function keyPart(part: Json | undefined): string | number | undefined {
  if (typeof part === 'string') return part === '' ? undefined : part;
  return typeof part === 'number' && Number.isSafeInteger(part) && part >= 0 ? part : undefined;
}

/**
 * Has the user's `sops` decrypt one value. Nothing that sops prints is shown, since it may hold what it decrypts.
 * @param file absolute
 * @param reference for messages, and the key
 * @param place in the folder, for messages
 * @param env in which sops finds its keys
 * @throws CliError
 */
export function readSops(
  file: string,
  { path, key }: SopsReference,
  place: string,
  env: Readonly<Record<string, string | undefined>>,
  maxBytes: number,
): string {
  const refuse = (problem: string) => new CliError(`${place}: ${problem}`);
  // Its paths have no way to write this character.
  if (key.some((name) => String(name).includes('['))) throw refuse('a key for sops cannot have a [');
  const extract = key.map((name) => (typeof name === 'number' ? `[${name}]` : `["${name}"]`)).join('');
  const { GLOVEBOX_MANAGEMENT_KEY: _management, GLOVEBOX_API_KEY: _use, ...others } = env;
  const run = spawnSync('sops', ['decrypt', '--extract', extract, file], {
    env: others,
    // A key with a passphrase is asked for at the terminal, if there is one.
    stdio: [process.stdin.isTTY ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: maxBytes,
  });
  const { error, status } = run;
  if (error !== undefined) throw refuse(problemOf(error, path, maxBytes));
  if (status === 0) return run.stdout.replace(/\r?\n$/, '');
  const reason = reasons[status ?? 0] ?? `there may be no ${extract} in it`;
  throw refuse(
    `sops did not decrypt ${path} (exit code ${status ?? 'none'}): ${reason}. To see what sops says: sops decrypt --extract ${quoted(extract)} ${quoted(path)}`,
  );
}

/** As one word of a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function problemOf(error: Error, path: string, maxBytes: number): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return 'the program sops is not there. It is needed for values of sops files: https://getsops.io';
  if (code === 'ENOBUFS') return `the value in ${path} is larger than ${maxBytes} bytes`;
  if (code === 'ETIMEDOUT') return `sops did not decrypt ${path} within ${timeoutMs / 1000} s`;
  return `sops cannot be run: ${String(code)}`;
}
