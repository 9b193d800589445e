import { responseHeaders } from '@glovebox/egress/headers';
import { type BodyGrammar, bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors';

import type { CollectedResponse } from '../forward/collect-response.ts';
import { destinationHeaders } from '../http/answer-headers.ts';
import { respondRaw } from '../http/respond-raw.ts';
import { decodeContent } from '../request/decode-content.ts';
import type { RunnerClient } from '../runner/runner-client.ts';
import { argsText } from './args-text.ts';
import { isTransformable } from './check-transformable.ts';
import { encodeBody } from './encode-body.ts';
import { framingHeaders, valueOf, withoutHeaders } from './header-list.ts';
import { headerObject } from './header-object.ts';
import { isJson } from './is-json.ts';
import { type Invocation, runTransform } from './run-transform.ts';

/**
 * Runs a proxy's response transform (interface.md section 4.8) and answers with what it returns and the destination's
 * status. Whatever fails, nothing of the destination's response reaches the client.
 */
export async function transformResponse(
  invocation: Invocation,
  collected: CollectedResponse,
  runner: RunnerClient,
  maxBytes: number,
): Promise<void> {
  const { status } = collected;
  const headers = withoutHeaders(collected.headers, framingHeaders);
  const contentType = valueOf(collected.headers, 'content-type');
  const grammar = bodyGrammar(contentType);
  const body = await decoded(collected, grammar, maxBytes);
  const args = argsText({ headers: headerObject(headers) }, body, grammar);
  const result = await runTransform(invocation, 'response', args, runner);
  const encoded = encodeBody(result, body === undefined ? undefined : contentType, 'response');
  if (encoded.body.length > 0 && (status === 204 || status === 205)) {
    throw new AppError('internal', `The response transform returned a body, and a ${status} has none.`);
  }
  respondRaw(invocation.exchange, {
    status,
    headers: [
      ...withoutHeaders(responseHeaders(encoded.headers), framingHeaders),
      ...destinationHeaders(invocation.exchange, status),
    ],
    body: encoded.body,
  });
}

/** The body as its transform gets it; undefined for none. */
async function decoded(
  { headers, body }: CollectedResponse,
  grammar: BodyGrammar,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (body.length === 0) return undefined;
  if (!isTransformable(grammar)) {
    throw new AppError(
      'unsupported_media_type',
      'The proxy has a response transform, and the destination answered with neither JSON nor a form, in UTF-8.',
    );
  }
  const coding = valueOf(headers, 'content-encoding');
  const plain =
    coding === undefined || coding.toLowerCase() === 'identity'
      ? body
      : await decodeContent(body, coding, maxBytes).catch(undecodable);
  if (plain.length === 0) return undefined;
  const text = plain.subarray(plain.subarray(0, 3).equals(byteOrderMark) ? byteOrderMark.length : 0);
  if (grammar.kind === 'json' && !isJson(text)) {
    throw new AppError('bad_gateway', 'The destination answered with JSON that is not valid.');
  }
  return text;
}

const byteOrderMark = Buffer.from('\uFEFF');

function undecodable(cause: unknown): never {
  throw new AppError(
    'bad_gateway',
    'The response transform cannot get the destination’s response: its Content-Encoding is unknown or broken, or too much comes out of it.',
    { cause },
  );
}
