import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';

import { keyBytes } from './aes-gcm.ts';

/**
 * The key file of a single machine: JSON, readable by its owner only.
 *
 *     { "format": "glovebox-key-file/1", "current": "local-3f9c…", "keys": { "local-3f9c…": "<32 bytes in base64>" } }
 *
 * To rotate, add a key and make it current; keep the old ones for as long as data keys are wrapped under them.
 */
const fileFormat = 'glovebox-key-file/1';
const maxFileBytes = 64 * 1024;
const keyIdGrammar = /^[A-Za-z0-9._-]{1,64}$/;
const othersMayAccess = 0o077;

export interface KeyFile {
  readonly currentKeyId: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** A key file that cannot be used. The message names the file and the problem, and never quotes its content. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';

  constructor(path: string, problem: string) {
    super(`key file ${path}: ${problem}`);
  }
}

export async function readKeyFile(path: string): Promise<KeyFile> {
  return parseKeyFile(path, await readPrivateFile(path));
}

/**
 * Writes a file with one new key, atomically. Never replaces a file: without its key every token is lost. So the
 * file is written under another name and then linked, which fails when the name is taken.
 */
export async function createKeyFile(path: string): Promise<void> {
  const keyId = `local-${randomBytes(4).toString('hex')}`;
  const keys = { [keyId]: randomBytes(keyBytes).toString('base64') };
  const text = `${JSON.stringify({ format: fileFormat, current: keyId, keys }, null, 2)}\n`;
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writePrivateFile(draft, text);
    try {
      await link(draft, path);
    } finally {
      await unlink(draft);
    }
  } catch (error) {
    const problem = codeOf(error) === 'EEXIST' ? 'exists already' : `cannot be created (${codeOf(error)})`;
    throw new KeyFileError(path, problem);
  }
}

async function writePrivateFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readPrivateFile(path: string): Promise<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new KeyFileError(
      path,
      codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`,
    );
  });
  try {
    // Checks the open file; the path could name another file by now.
    const stat = await file.stat();
    if (!stat.isFile()) throw new KeyFileError(path, 'is not a regular file');
    if ((stat.mode & othersMayAccess) !== 0) {
      const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
      throw new KeyFileError(path, `is open to others (mode ${mode}); it must be 0600 or 0400`);
    }
    if (stat.size > maxFileBytes)
      throw new KeyFileError(path, `is larger than ${String(maxFileBytes)} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function parseKeyFile(path: string, text: string): KeyFile {
  const content = parseJsonObject(path, text);
  if (content['format'] !== fileFormat) throw new KeyFileError(path, `"format" must be "${fileFormat}"`);
  const entries = content['keys'];
  if (!isObject(entries) || Object.keys(entries).length === 0) {
    throw new KeyFileError(path, '"keys" must be an object with at least one key');
  }
  const keys = new Map<string, Buffer>();
  for (const [keyId, encoded] of Object.entries(entries)) {
    if (!keyIdGrammar.test(keyId)) {
      throw new KeyFileError(path, 'the id of a key must be 1 to 64 letters, digits, ".", "_" or "-"');
    }
    keys.set(keyId, parseKey(path, keyId, encoded));
  }
  const current = content['current'];
  if (typeof current !== 'string') throw new KeyFileError(path, '"current" must name one of the keys');
  if (!keys.has(current)) throw new KeyFileError(path, '"current" names a key that is not among "keys"');
  return { currentKeyId: current, keys };
}

function parseJsonObject(path: string, text: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's own message would quote the text, which is a key.
    throw new KeyFileError(path, 'is not JSON');
  }
  if (!isObject(content)) throw new KeyFileError(path, 'must hold a JSON object');
  return content;
}

function parseKey(path: string, keyId: string, encoded: unknown): Buffer {
  const bytes = typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  if (bytes.length !== keyBytes || bytes.toString('base64') !== encoded) {
    throw new KeyFileError(path, `key "${keyId}" must be ${String(keyBytes)} bytes in base64`);
  }
  return bytes;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
