import { AppError, validationError } from '@glovebox/platform/errors/app-error';

import type { VaultContext } from '../../context/vault-context.ts';
import { type SentRequest, decryptRequests, withData } from '../../keys/client-keys/decrypt-requests.ts';
import { readTokenRequest } from '../../tokens/parse-token-request.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../values/json-value.ts';
import { readJsonBody } from '../../values/read-json-body.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';

/** The name in error messages. */
const header = 'SVC-ENCRYPTED';
const base64 = /^[\w+/-]+={0,2}$/;

export interface Encrypted {
  readonly value: JsonValue;
  readonly keyIds: readonly string[];
}

/**
 * Decrypts what a client encrypted for one request (contract/transforms.md#types): a request for a token, or a map
 * of scope to such requests. Each gets plaintext data and is validated as if a token were created.
 * @param text base64 of JSON
 * @throws AppError `invalid_argument`
 */
export async function openEncrypted(vault: VaultContext, tenantId: string, text: string): Promise<Encrypted> {
  const document = readDocument(text, vault.limits);
  const single = typeof document['encrypted'] === 'string' || typeof document['type'] === 'string';
  const problems = new ValidationProblems();
  const entries = single ? [['', document] as const] : Object.entries(document);
  const sent = entries.flatMap(([name, request]) => sentRequest(name, request, problems));
  if (entries.length === 0 || entries.length > vault.limits.tokensPerTokenize) {
    problems.add(header, `must hold 1 to ${vault.limits.tokensPerTokenize} requests for tokens`);
  }
  problems.throwIfAny();
  const { requests, keyIds } = await decryptRequests(vault, tenantId, sent, problems);
  const now = Date.now();
  const opened = requests.map((request, position): JsonObject => {
    const report = problems.at(sent[position]?.path ?? header);
    const read = request && readTokenRequest(request, now, vault.limits.token, report);
    return withData(request ?? {}, read?.data ?? null);
  });
  problems.throwIfAny();
  const value = single ? opened[0] : Object.fromEntries(opened.map((one, at) => [entries[at]?.[0], one]));
  return { value: value ?? null, keyIds };
}

function readDocument(
  text: string,
  { encryptedLength: maxLength, bodyNesting }: VaultContext['limits'],
): JsonObject {
  if (text.length > maxLength) throw refusal(`must not be longer than ${maxLength} characters`);
  try {
    const limits = { bodyBytes: maxLength, bodyNesting };
    const document = base64.test(text) ? readJsonBody(Buffer.from(text, 'base64'), limits) : undefined;
    if (isJsonObject(document)) return document;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  throw refusal('must be a JSON object in base64');
}

function sentRequest(name: string, request: JsonValue, problems: ValidationProblems): SentRequest[] {
  const path = name === '' ? header : `${header}.${name}`;
  if (isJsonObject(request) && (request['encrypted'] ?? null) !== null) return [{ path, request }];
  if (isJsonObject(request)) problems.at(path)('encrypted', 'is required');
  else problems.add(path, 'must be a request for a token');
  return [];
}

function refusal(problem: string): AppError {
  return validationError({ [header]: [problem] });
}
