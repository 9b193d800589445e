import { rootContainer } from '@glovebox/access/container';

import { own, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { requireObject } from '../values/read-json-body.ts';
import { ValidationProblems, type ReportProblem } from '../values/validation-problems.ts';
import type { TokenLimits } from './data-limits.ts';
import { containerOfPrivacy } from './privacy.ts';
import { readData, readFingerprintExpression, readMask } from './read-content.ts';
import {
  readContainer,
  readEncryption,
  readExpiresAt,
  readFlag,
  readMetadata,
  readSearchIndexes,
} from './read-fields.ts';
import type { TokenContent } from './token-content.ts';
import { readRequestedId, type RequestedId } from './token-id.ts';
import { tokenTypes, type TokenType } from './token-type.ts';

/** A valid request to create a token, with the defaults of its type. */
export interface TokenRequest extends TokenContent {
  readonly id: RequestedId | undefined;
  /** Undefined: the tenant's setting applies. */
  readonly deduplicateToken: boolean | undefined;
  /** The expression is not only the default of the type. */
  readonly asksForFingerprint: boolean;
}

/** @param now in milliseconds since 1970, to validate `expires_at` */
export function parseTokenRequest(body: JsonValue, now: number, limits: TokenLimits): TokenRequest {
  const problems = new ValidationProblems();
  const request = readTokenRequest(requireObject(body), now, limits, problems.at(''));
  problems.throwIfAny();
  // Unreachable: every missing request was reported.
  if (!request) throw new Error('a token request was neither read nor refused');
  return request;
}

/**
 * Reads a request and reports every problem. Unknown attributes are ignored (contract/conventions.md#json). The
 * result is valid only if there is no problem.
 */
export function readTokenRequest(
  body: JsonObject,
  now: number,
  limits: TokenLimits,
  report: ReportProblem,
): TokenRequest | undefined {
  const type = readType(own(body, 'type'), report);
  const data = readData(own(body, 'data'), type, limits, report);
  const attributes = {
    id: readRequestedId(own(body, 'id'), limits, report),
    mask: readMask(own(body, 'mask'), limits, report),
    fingerprintExpression: readFingerprintExpression(own(body, 'fingerprint_expression'), limits, report),
    container: readContainer(own(body, 'containers'), limits, report),
    metadata: readMetadata(own(body, 'metadata'), limits, report),
    searchIndexes: readSearchIndexes(own(body, 'search_indexes'), limits, report),
    expiresAt: readExpiresAt(own(body, 'expires_at'), now, report),
    deduplicateToken: readFlag(own(body, 'deduplicate_token'), 'deduplicate_token', report),
    encryption: readEncryption(own(body, 'encryption'), limits, report),
  };
  const fromPrivacy = containerOfPrivacy(own(body, 'privacy'), type?.container ?? rootContainer, report);
  if (!type || data === undefined) return undefined;
  return {
    ...attributes,
    type: type.name,
    data,
    mask: attributes.mask ?? type.mask,
    fingerprintExpression: attributes.fingerprintExpression ?? type.fingerprintExpression,
    asksForFingerprint: attributes.fingerprintExpression !== undefined,
    container: attributes.container ?? fromPrivacy ?? type.container,
    searchIndexes: attributes.searchIndexes ?? type.searchIndexes,
  };
}

function readType(value: JsonValue | undefined, report: ReportProblem): TokenType | undefined {
  if (value === undefined || value === null) {
    report('type', 'is required');
    return undefined;
  }
  const type = typeof value === 'string' ? tokenTypes.get(value) : undefined;
  if (!type) report('type', `must be one of ${[...tokenTypes.keys()].join(', ')}`);
  return type;
}
