import type { KeyObject } from 'node:crypto';

import type { TenantDatabase } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { FairGate } from '@glovebox/platform/values/fair-gate';

import type { Keyring } from '../../crypto/keyring.ts';
import { isTemplate } from '../../expressions/template.ts';
import { selectClientKeys } from '../../store/client-keys.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../values/json-value.ts';
import { type BodyLimits, readJsonBody } from '../../values/read-json-body.ts';
import { ValidationProblems, type ReportProblem } from '../../values/validation-problems.ts';
import { requireAuthenticKeys } from './authentic-client-keys.ts';
import { openJwe } from './open-jwe.ts';
import { openPrivateKey } from './private-key.ts';
import { type ReadJwe, readJweHeader } from './read-jwe-header.ts';

interface Decrypting {
  readonly postgres: TenantDatabase;
  readonly keyring: Keyring;
  readonly decryptions: FairGate;
  readonly limits: BodyLimits & { readonly encryptedLength: number };
}

export interface SentRequest {
  readonly path: string;
  readonly request: JsonObject;
}

export interface DecryptedRequests {
  /** In order, with plaintext data; undefined where a problem was reported. */
  readonly requests: readonly (JsonObject | undefined)[];
  readonly keyIds: readonly string[];
}

/** Decrypts what clients encrypted to keys of their tenant, and puts it in the place of the `data` of their requests. */
export async function decryptRequests(
  vault: Decrypting,
  tenantId: string,
  sent: readonly SentRequest[],
  problems: ValidationProblems,
): Promise<DecryptedRequests> {
  if (!sent.some(({ request }) => isEncrypted(request))) {
    return { requests: sent.map(({ request }) => request), keyIds: [] };
  }
  const read = sent.map(({ path, request }) =>
    isEncrypted(request)
      ? readEncrypted(request, vault.limits.encryptedLength, problems.at(path))
      : undefined,
  );
  const wanted = [...new Set(read.flatMap((jwe) => jwe?.keyId ?? []))];
  const keys = await privateKeysOf(vault, tenantId, wanted);
  return vault.decryptions.run(tenantId, async () => {
    const requests: (JsonObject | undefined)[] = [];
    for (const [position, { path, request }] of sent.entries()) {
      const data = await dataOf(read[position], keys, vault.limits, problems.at(path));
      if (isEncrypted(request)) requests.push(data === undefined ? undefined : withData(request, data));
      else requests.push(request);
    }
    return { requests, keyIds: [...keys.keys()] };
  });
}

/** Decrypts a request for one token. @throws AppError `invalid_argument` */
export async function decryptRequest(
  vault: Decrypting,
  tenantId: string,
  body: JsonValue,
): Promise<JsonValue> {
  if (!isJsonObject(body)) return body;
  const problems = new ValidationProblems();
  const { requests } = await decryptRequests(vault, tenantId, [{ path: '', request: body }], problems);
  problems.throwIfAny();
  return requests[0] ?? body;
}

function isEncrypted(request: JsonObject): boolean {
  return Object.hasOwn(request, 'encrypted') && request['encrypted'] !== null;
}

/** The sender may not know the content, so it may choose neither mask nor index: an expression could reveal it. */
function readEncrypted(request: JsonObject, maxLength: number, report: ReportProblem): ReadJwe | undefined {
  if (isGiven(request['data'])) report('data', 'must not be given beside encrypted');
  for (const name of ['mask', 'fingerprint_expression', 'search_indexes']) {
    if (isGiven(request[name])) report(name, 'must not be given beside encrypted: it is that of the type');
  }
  const { id } = request;
  if (typeof id === 'string' && isTemplate(id)) report('id', 'must not be an expression beside encrypted');
  return readJweHeader(request['encrypted'], maxLength, report);
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

async function privateKeysOf(
  vault: Decrypting,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeyObject>> {
  const keys = new Map<string, KeyObject>();
  if (ids.length === 0) return keys;
  const stored = await selectClientKeys(vault.postgres.forTenant(tenantId), tenantId, ids);
  await requireAuthenticKeys(vault.keyring, stored);
  for (const sealed of stored) {
    keys.set(sealed.id, await openPrivateKey(vault.keyring, sealed));
  }
  return keys;
}

async function dataOf(
  jwe: ReadJwe | undefined,
  keys: ReadonlyMap<string, KeyObject>,
  limits: BodyLimits,
  report: ReportProblem,
): Promise<JsonValue | undefined> {
  if (jwe === undefined) return undefined;
  const key = keys.get(jwe.keyId);
  if (key === undefined) {
    report(
      'encrypted',
      'must be encrypted to a key that there is: this one was deleted, has expired, or never was',
    );
    return undefined;
  }
  const plaintext = await openJwe(jwe.compact, key);
  if (plaintext === undefined) {
    report('encrypted', 'cannot be decrypted with the key that it names');
    return undefined;
  }
  return jsonOf(plaintext, limits, report);
}

function jsonOf(
  plaintext: Buffer,
  { bodyNesting }: BodyLimits,
  report: ReportProblem,
): JsonValue | undefined {
  try {
    return readJsonBody(plaintext, { bodyBytes: plaintext.length, bodyNesting });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    report('encrypted', 'must be JSON when it is decrypted');
    return undefined;
  } finally {
    plaintext.fill(0);
  }
}

/** The request with `data` in place of `encrypted`. */
export function withData(request: JsonObject, data: JsonValue): JsonObject {
  const others = Object.entries(request).filter(([name]) => name !== 'encrypted' && name !== 'data');
  return { ...Object.fromEntries(others), data };
}
