import { AppError } from '@glovebox/platform/errors';

import { isJsonObject, type JsonObject, type JsonValue } from '../expressions/json-value.ts';
import {
  validateFingerprintExpression,
  validateMask,
  type Report,
} from '../expressions/validate-expressions.ts';
import { dataProblem } from './data-limits.ts';
import type { ExpiresAt } from './expires-at.ts';
import { containerOfPrivacy } from './privacy.ts';
import { Problems } from './problems.ts';
import {
  readContainer,
  readEncryption,
  readExpiresAt,
  readFlag,
  readMetadata,
  readSearchIndexes,
  readText,
  type Metadata,
} from './read-fields.ts';
import { readRequestedId, type RequestedId } from './token-id.ts';
import { tokenTypes, type TokenType } from './token-type.ts';

/** A request to create a token, valid and with its type's defaults. */
export interface TokenRequest {
  readonly id: RequestedId | undefined;
  readonly type: string;
  /** In the form in which it is kept: numbers of a card where the client sent text, and so on. */
  readonly data: JsonValue;
  readonly mask: JsonValue;
  readonly fingerprintExpression: string;
  readonly container: string;
  readonly metadata: Metadata | undefined;
  readonly searchIndexes: readonly string[];
  readonly expiresAt: ExpiresAt | undefined;
  /** Undefined: as the tenant has set. */
  readonly deduplicateToken: boolean | undefined;
  readonly encryption: JsonObject | undefined;
}

/** @param now in milliseconds since 1970, against which `expires_at` is judged */
export function parseTokenRequest(body: JsonValue, now: number): TokenRequest {
  if (!isJsonObject(body)) throw new AppError('invalid_argument', 'The request body must be a JSON object.');
  const problems = new Problems();
  const request = readTokenRequest(body, now, problems.at(''));
  problems.throwIfAny();
  // What was not read has been reported, so that this is not reached without a request.
  if (!request) throw new Error('a token request was neither read nor refused');
  return request;
}

/**
 * Reads a request and reports everything that is wrong with it. Attributes that are not known are ignored (api-facts
 * 1.2). The result is good only if nothing was reported.
 */
export function readTokenRequest(body: JsonObject, now: number, report: Report): TokenRequest | undefined {
  const own = (name: string): JsonValue | undefined => (Object.hasOwn(body, name) ? body[name] : undefined);
  const type = readType(own('type'), report);
  const data = readData(own('data'), type, report);
  const attributes = {
    id: readRequestedId(own('id'), report),
    mask: readMask(own('mask'), report),
    fingerprintExpression: readFingerprintExpression(own('fingerprint_expression'), report),
    container: readContainer(own('containers'), report),
    metadata: readMetadata(own('metadata'), report),
    searchIndexes: readSearchIndexes(own('search_indexes'), report),
    expiresAt: readExpiresAt(own('expires_at'), now, report),
    deduplicateToken: readFlag(own('deduplicate_token'), 'deduplicate_token', report),
    encryption: readEncryption(own('encryption'), report),
  };
  if (!type || data === undefined) return undefined;
  const fromPrivacy = attributes.container ?? containerOfPrivacy(own('privacy'), type.container, report);
  return {
    ...attributes,
    type: type.name,
    data,
    mask: attributes.mask ?? type.mask,
    fingerprintExpression: attributes.fingerprintExpression ?? type.fingerprintExpression,
    container: fromPrivacy ?? type.container,
    searchIndexes: attributes.searchIndexes ?? type.searchIndexes,
  };
}

function readType(value: JsonValue | undefined, report: Report): TokenType | undefined {
  if (value === undefined || value === null) {
    report('type', 'is required');
    return undefined;
  }
  const type = typeof value === 'string' ? tokenTypes.get(value) : undefined;
  if (!type) report('type', `must be one of ${[...tokenTypes.keys()].join(', ')}`);
  return type;
}

function readData(
  value: JsonValue | undefined,
  type: TokenType | undefined,
  report: Report,
): JsonValue | undefined {
  if (value === undefined || value === null) {
    report('data', 'is required');
    return undefined;
  }
  const problem = dataProblem(value);
  if (problem !== undefined) {
    report('data', problem);
    return undefined;
  }
  return type ? type.readData(value, report) : undefined;
}

function readMask(value: JsonValue | undefined, report: Report): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  validateMask(value, 'mask', report);
  return value;
}

function readFingerprintExpression(value: JsonValue | undefined, report: Report): string | undefined {
  const text = readText(value, 'fingerprint_expression', report);
  if (text === undefined) return undefined;
  if (text === '') report('fingerprint_expression', 'must not be empty');
  else validateFingerprintExpression(text, 'fingerprint_expression', report);
  return text;
}
