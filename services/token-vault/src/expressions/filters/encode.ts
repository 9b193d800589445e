import { createHmac } from 'node:crypto';

import type { JsonValue } from '../../values/json-value.ts';
import type { WorkBudget } from '../expression-limits.ts';
import { textArgument } from './arguments.ts';
import { failed, scalarText, type Filter, type Value } from './filter.ts';

export const hmac: Filter = { minArgs: 2, maxArgs: 2, apply: applyHmac };
/** Upper case, as in the table of filters (contract/expressions.md#filters); the vendor's proxy example has lower case. */
export const toBase16: Filter = encoding('to_base16', (bytes) => bytes.toString('hex').toUpperCase());
export const toBase64: Filter = encoding('to_base64', (bytes) => bytes.toString('base64'));

const algorithms: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['sha-1', 'sha1'],
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/** Units of work to prepare a key, per hashed character, and per encoded character. */
const fixedWork = 1500;
const perHashed = 5;
const perEncoded = 7;

function applyHmac(input: Value, args: readonly JsonValue[], work: WorkBudget): Value {
  const algorithm = algorithms.get(args[0]);
  if (!algorithm) throw failed('hmac', 'algorithm must be sha-1, sha-256 or sha-512');
  const key = textArgument('hmac', 'key', args[1]);
  const text = scalarText('hmac', input);
  work.spend(fixedWork + (text.length + key.length) * perHashed);
  return createHmac(algorithm, key).update(text).digest();
}

function encoding(name: string, encode: (bytes: Buffer) => string): Filter {
  const apply = (input: Value, _args: unknown, work: WorkBudget): Value => {
    if (input instanceof Uint8Array) return encode(Buffer.from(input));
    const text = scalarText(name, input);
    work.spend(text.length * perEncoded);
    return encode(Buffer.from(text));
  };
  return { minArgs: 0, maxArgs: 0, apply };
}
