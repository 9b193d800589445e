import { hasBytes, requireBodyAllowed } from '@glovebox/egress/encode-body';
import { type MessageSide, readResult } from '@glovebox/egress/transform-result';
import { type JsonKind, JsonWalk, kindOf } from '@glovebox/expressions/json-walk';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformedMessage } from '@glovebox/protos/runner/v1/runner';

import type { CodeOwner } from '../scheduling/tenant.ts';

/** Nearly every result of a transform begins like this. */
const usual = /^\{"(?:body|headers)":/;
const usualLength = '{"headers":'.length;

/**
 * Why a result is unusable, in a sentence for the tenant: it is no object, or for a transform has neither body nor headers,
 * or no message can hold them. Undefined for a usable result.
 *
 * @param result JSON text as the code's own JSON.stringify wrote it; empty for undefined, which a reactor may return
 * @param message what the transform replaces; without it, the headers and the body are not checked
 */
export function resultProblem(
  { side }: CodeOwner,
  result: Buffer,
  message?: TransformedMessage,
): string | undefined {
  if (side !== undefined && message !== undefined) return messageProblem(side, result.toString(), message);
  const what = side === undefined ? 'The code' : `The ${side} transform`;
  const wanted = side === undefined ? 'raw or tokenize' : 'body and headers';
  const said = (returned: string) => `${what} must return an object with ${wanted}; it returned ${returned}.`;
  if (result.length === 0) return side === undefined ? undefined : said('undefined');
  const kind = kindOf(result.toString('latin1', 0, 1));
  if (kind !== 'object') return said(named(kind));
  const isUsable = side === undefined || usual.test(result.toString('latin1', 0, usualLength));
  if (isUsable) return undefined;
  const holds = holdsEither(result);
  if (holds === undefined) return said('no JSON');
  return holds ? undefined : said('an object with neither of them');
}

/** The gateway refuses by the same rules, and answers with the same sentence. */
function messageProblem(
  side: MessageSide,
  json: string,
  { hasBody, contentType, maxHeaderBytes, status }: TransformedMessage,
): string | undefined {
  try {
    const result = readResult(json, side, hasBody, maxHeaderBytes);
    if (hasBytes(result, contentType, side)) requireBodyAllowed(status);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof AppError) return refusal.message;
    throw refusal;
  }
}

/** Undefined for invalid JSON: code may replace the isolate's JSON.stringify. */
function holdsEither(result: Buffer): boolean | undefined {
  const walk = new JsonWalk(result.toString());
  let isFound = false;
  try {
    walk.members((name) => {
      walk.value();
      isFound ||= name === 'body' || name === 'headers';
    });
  } catch {
    return undefined;
  }
  return isFound;
}

function named(kind: JsonKind): string {
  if (kind === 'null') return kind;
  return kind === 'array' ? 'an array' : `a ${kind}`;
}
