import { parseContainer } from '@glovebox/access/container';
import { parseExpiresAt, type ExpiresAt } from '@glovebox/access/expires-at';

import { validateSearchIndex } from '../expressions/validate-expressions.ts';
import { own, isJsonObject, type JsonObject, type JsonValue } from '../values/json-value.ts';
import type { ReportProblem } from '../values/validation-problems.ts';
import type { TokenLimits } from './data-limits.ts';

/** Each function reads one attribute of a request. Absent and null are undefined. */

export type Metadata = Readonly<Record<string, string>>;

export function readText(
  value: JsonValue | undefined,
  path: string,
  report: ReportProblem,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  report(path, 'must be text');
  return undefined;
}

export function readFlag(
  value: JsonValue | undefined,
  path: string,
  report: ReportProblem,
): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  report(path, 'must be true or false');
  return undefined;
}

/** A token has exactly one container, although the contract has an array. */
export function readContainer(
  value: JsonValue | undefined,
  { containerLength }: TokenLimits,
  report: ReportProblem,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    report('containers', 'must be an array');
    return undefined;
  }
  if (value.length > 1) report('containers', 'must not hold more than one container');
  const [first] = value;
  if (first === undefined) return undefined;
  const container = typeof first === 'string' ? parseContainer(first, containerLength) : null;
  if (container === null) {
    report(
      'containers[0]',
      `must be a path such as /pci/high/: letters, digits, - and _ between single slashes, at most ${containerLength} characters`,
    );
  }
  return container ?? undefined;
}

export function readMetadata(
  value: JsonValue | undefined,
  limits: TokenLimits,
  report: ReportProblem,
): Metadata | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) {
    report('metadata', 'must be an object');
    return undefined;
  }
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  if (entries.length > limits.metadataEntries) {
    report('metadata', `must not have more than ${String(limits.metadataEntries)} entries`);
    return undefined;
  }
  const metadata: [string, string][] = [];
  for (const [key, item] of entries) {
    const text = metadataText(item);
    const problem = metadataProblem(key, text, limits);
    if (problem !== undefined) report(`metadata.${key}`, problem);
    else if (typeof text === 'string') metadata.push([key, text]);
  }
  return Object.fromEntries(metadata);
}

/** Booleans and numbers become strings. A whole number that parsing has rounded stays one, and is reported. */
export function metadataText(value: JsonValue): JsonValue {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return value;
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;
}

/** Postgres cannot store U+0000 and lone surrogates. */
function metadataProblem(
  key: string,
  value: JsonValue,
  { metadataNameLength, metadataValueLength }: TokenLimits,
): string | undefined {
  if (key === '' || key.length > metadataNameLength)
    return `must have a name of 1 to ${String(metadataNameLength)} characters`;
  if (typeof value === 'number') return 'must be sent as text: as a number it loses digits';
  if (typeof value !== 'string') return 'must be text, a number or a boolean';
  if (value.length > metadataValueLength)
    return `must not be longer than ${String(metadataValueLength)} characters`;
  const broken = [key, value].some((text) => text.includes('\0') || !text.isWellFormed());
  return broken ? 'must not hold the character U+0000 or broken text' : undefined;
}

export function readSearchIndexes(
  value: JsonValue | undefined,
  limits: TokenLimits,
  report: ReportProblem,
): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    report('search_indexes', 'must be an array');
    return undefined;
  }
  if (value.length > limits.searchIndexes) {
    report('search_indexes', `must not hold more than ${String(limits.searchIndexes)} expressions`);
    return undefined;
  }
  const expressions: string[] = [];
  for (const [index, item] of value.entries()) {
    const path = `search_indexes[${String(index)}]`;
    if (typeof item !== 'string' || item === '') {
      report(path, 'must be an expression');
    } else {
      validateSearchIndex(item, limits.expressions, path, report);
      expressions.push(item);
    }
  }
  return expressions;
}

export function readExpiresAt(
  value: JsonValue | undefined,
  now: number,
  report: ReportProblem,
): ExpiresAt | undefined {
  const text = readText(value, 'expires_at', report);
  if (text === undefined) return undefined;
  const expiresAt = parseExpiresAt(text);
  if (!expiresAt) report('expires_at', 'must be a date and time such as 2030-04-23T17:24:28-04:00');
  else if (expiresAt.epochMs <= now) report('expires_at', 'must not be in the past');
  return expiresAt ?? undefined;
}

/** How the client encrypted the data. The vault stores and returns it, and does not use it. */
export function readEncryption(
  value: JsonValue | undefined,
  { encryptionBytes }: TokenLimits,
  report: ReportProblem,
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) {
    report('encryption', 'must be an object');
    return undefined;
  }
  const keys: [string, JsonObject][] = [];
  for (const name of ['cek', 'kek']) {
    const part = own(value, name);
    const path = `encryption.${name}`;
    if (isJsonObject(part) && (part['key'] ?? null) !== null)
      keys.push([name, textMembers(part, path, report)]);
    else report(`${path}.key`, 'is required');
  }
  const encryption = Object.fromEntries(keys);
  if (Buffer.byteLength(JSON.stringify(encryption)) > encryptionBytes) {
    report('encryption', `must not be larger than ${String(encryptionBytes)} bytes`);
  }
  return encryption;
}

/** `alg` and `prov` may be absent. */
function textMembers(part: JsonObject, path: string, report: ReportProblem): JsonObject {
  const members: [string, string][] = [];
  for (const name of ['key', 'alg', 'prov']) {
    const value = own(part, name);
    if (typeof value === 'string') members.push([name, value]);
    else if (value !== undefined && value !== null) report(`${path}.${name}`, 'must be text');
  }
  return Object.fromEntries(members);
}
