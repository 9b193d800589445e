import { type Json, type JsonObject, isObject } from '../api/json.ts';
import { CliError } from '../terminal/cli-error.ts';
import type { CodeFile, CompileCode } from './compile-code.ts';
import { readSops, sopsReference } from './read-sops.ts';
import { pathWithin, readWithin } from './read-within.ts';

export interface Source {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly compile: CompileCode;
  /** Told the file of each code member, by its place. */
  readonly onCode: (place: string, file: CodeFile) => void;
}

/** The service takes 50,000 characters of code and 16,384 of a value; these bounds are for what cannot be right. */
const maxCodeBytes = 1024 * 1024;
const maxValueBytes = 64 * 1024;
/** Of a whole file of many values. */
const maxSopsBytes = 4 * 1024 * 1024;

/** Members whose strings may be `{env: NAME}`, `{file: PATH}` or `{sops: PATH, key: NAME}`. */
const secretMembers = new Set(['configuration', 'destination_tls']);

/**
 * A definition with the text of its code files and its secrets.
 * @param place such as `proxies.charge`, for messages
 * @throws CliError
 */
export function resolveValues(definition: JsonObject, place: string, source: Source): JsonObject {
  return mapMembers(definition, place, (value, name, at) => {
    if (secretMembers.has(name) && isObject(value)) return secretsOf(value, at, source);
    return codeOf(value, name, at, source);
  });
}

/** A definition with the text of its code files, and nothing else of it resolved. @throws CliError */
export function resolveCode(definition: JsonObject, place: string, source: Omit<Source, 'env'>): JsonObject {
  return mapMembers(definition, place, (value, name, at) => codeOf(value, name, at, source));
}

function codeOf(value: Json, name: string, place: string, source: Omit<Source, 'env'>): Json {
  const here = (inner: Json, innerName: string, at: string) => codeOf(inner, innerName, at, source);
  if (Array.isArray(value)) return value.map((item, index) => here(item, '', `${place}[${index}]`));
  // What a transform stores as a token is not looked into.
  if (isObject(value)) return name === 'options' ? value : mapMembers(value, place, here);
  if (name !== 'code' || typeof value !== 'string' || !isPath(value)) return value;
  const file = source.compile(value, readWithin(source.folder, value, place, maxCodeBytes));
  source.onCode(place, file);
  return file.code;
}

/** Code itself may be in the file too; no code begins like a path. */
function isPath(code: string): boolean {
  return !code.includes('\n') && (/^\.{0,2}\//.test(code) || /^[\w./-]+\.[cm]?[jt]s$/.test(code));
}

function secretsOf(value: JsonObject, place: string, source: Source): JsonObject {
  return mapMembers(value, place, (inner, _name, at) => {
    if (!isObject(inner)) return inner;
    const sops = sopsReference(inner);
    if (sops !== undefined) {
      const file = pathWithin(source.folder, sops.path, at, maxSopsBytes);
      return readSops(file, sops, at, source.env, maxValueBytes);
    }
    const [[kind, from] = [], ...more] = Object.entries(inner);
    if (more.length > 0 || typeof from !== 'string' || (kind !== 'env' && kind !== 'file')) {
      throw new CliError(`${at}: must be text, {env: NAME}, {file: PATH} or {sops: PATH, key: NAME}`);
    }
    if (kind === 'file') return readWithin(source.folder, from, at, maxValueBytes).replace(/\r?\n$/, '');
    const text = source.env[from];
    if (text === undefined) throw new CliError(`${at}: the environment variable ${from} is not set`);
    return text;
  });
}

function mapMembers(
  value: JsonObject,
  place: string,
  change: (value: Json, name: string, place: string) => Json,
): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, change(inner, name, `${place}.${name}`)]),
  );
}
