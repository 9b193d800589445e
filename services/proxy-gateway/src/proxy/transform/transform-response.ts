import { encodeBody, requireBodyAllowed } from '@glovebox/egress/encode-body';
import { framingHeaders, valueOf, withoutHeaders } from '@glovebox/egress/header-list';
import { responseHeaders } from '@glovebox/egress/headers';
import { type BodyGrammar, bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError, type ErrorCode } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import { destinationHeaders } from '../../http/answer-headers.ts';
import { decodeContent } from '../../http/body/decode-content.ts';
import { isJson } from '../../http/body/json.ts';
import { withoutMark } from '../../http/body/read-body.ts';
import type { Bounds, RawResponse } from '../../http/exchange.ts';
import { headerObject } from '../../http/headers/header-object.ts';
import { isTransformable } from '../receive/receive-request.ts';
import { type ProxyInvocation, stepsOf } from '../resolve/proxy-invocation.ts';
import { appends } from './append.ts';
import { argsText } from './args-text.ts';
import { checkJson } from './destination-json.ts';
import { evaluateOptions } from './evaluate-options.ts';
import { makeToken } from './make-token.ts';
import { maskText } from './mask-text.ts';
import { runCode } from './run-code.ts';
import type { Message, TransformDependencies } from './transformation.ts';

/**
 * Runs a proxy's response transforms (contract/transforms.md#code), in their order, on a whole response. The status
 * stays the destination's. After a failure nothing of the destination's response reaches the client.
 */
export async function transformResponse(
  invocation: ProxyInvocation,
  response: RawResponse,
  dependencies: TransformDependencies,
): Promise<RawResponse> {
  const { exchange, proxy } = invocation;
  const { status } = response;
  invocation.transforming = 'response';
  const steps = stepsOf(proxy, 'response');
  if (steps.some(({ type }) => type === 'code')) refuseUntransformable(response);
  let message: Message = {
    headers: withoutHeaders(response.headers, framingHeaders),
    body: await decoded(response, invocation, dependencies),
  };
  for (const step of steps) message = await perform(invocation, step, message, status, dependencies);
  const { headers, body = empty } = message;
  if (body.length > 0) requireBodyAllowed(status);
  const kept = withoutHeaders(responseHeaders(headers), framingHeaders);
  return { status, headers: [...kept, ...destinationHeaders(exchange, status)], body };
}

const empty = Buffer.alloc(0);

async function perform(
  invocation: ProxyInvocation,
  step: TransformStep,
  message: Message,
  status: number,
  dependencies: TransformDependencies,
): Promise<Message> {
  if (step.type === 'code') return runResponseCode(invocation, message, status, dependencies);
  if (step.type === 'mask') return maskText(invocation, step, message, dependencies);
  const { bounds } = invocation.exchange;
  const source = { side: 'response', res: () => variableOf(message, bounds) } as const;
  if (step.type === 'tokenize') {
    await makeToken(invocation, step, source, dependencies);
    return message;
  }
  const append = appends[step.type];
  if (append === undefined) throw new AppError('internal', 'The proxy has a transform of an unknown type.');
  return append(message, step, await evaluateOptions(invocation, step, source, dependencies), bounds);
}

async function runResponseCode(
  invocation: ProxyInvocation,
  { headers, body }: Message,
  status: number,
  { runner }: TransformDependencies,
): Promise<Message> {
  const named = valueOf(headers, 'content-type');
  const grammar = bodyGrammar(named);
  const read = body === undefined ? undefined : transformable(body, grammar);
  const args = argsText({ headers: headerObject(headers) }, read, grammar);
  const hasBody = read !== undefined;
  const contentType = hasBody ? named : undefined;
  const result = await runCode(invocation, 'response', args, { hasBody, contentType, status }, runner);
  const encoded = encodeBody(result, contentType, 'response');
  return { headers: encoded.headers, body: encoded.body.length === 0 ? undefined : encoded.body };
}

/** The variable `res`: parsed JSON, or text. */
function variableOf({ headers, body }: Message, { expressions: { maxDepth } }: Bounds): unknown {
  if (body === undefined) return null;
  const text = withoutMark(body);
  if (bodyGrammar(valueOf(headers, 'content-type')).kind !== 'json') return text.toString();
  checkJson(text, maxDepth);
  return JSON.parse(text.toString());
}

function refuseUntransformable({ headers, body }: RawResponse): void {
  if (body.length === 0 || isTransformable(bodyGrammar(valueOf(headers, 'content-type')))) return;
  throw new AppError(
    'unsupported_media_type',
    'The proxy has a response transform, and the destination answered with neither JSON nor a form, in UTF-8.',
  );
}

/** The body as code gets it; undefined for none. */
function transformable(body: Buffer, grammar: BodyGrammar): Buffer | undefined {
  const text = withoutMark(body);
  if (text.length === 0) return undefined;
  if (!isTransformable(grammar)) {
    throw new AppError('unsupported_media_type', 'Code can transform only JSON and forms, in UTF-8.');
  }
  if (grammar.kind === 'json' && !isJson(text)) {
    throw new AppError('bad_gateway', 'The destination answered with JSON that is not valid.');
  }
  return text;
}

/** The body as its transforms get it; undefined for none. */
async function decoded(
  { headers, body }: RawResponse,
  { exchange }: ProxyInvocation,
  { maxTransformedBytes: maxBytes }: TransformDependencies,
): Promise<Buffer | undefined> {
  if (body.length === 0) return undefined;
  const coding = valueOf(headers, 'content-encoding');
  const plain =
    coding === undefined || coding.toLowerCase() === 'identity'
      ? body
      : await decodeContent(
          body,
          coding,
          { maxBytes, maxRatio: exchange.bounds.decodedRatio },
          exchange,
        ).catch(undecodable);
  return plain.length === 0 ? undefined : plain;
}

/** Broken content is the destination's fault; a lack of memory is not. */
function undecodable(cause: unknown): never {
  if (!(cause instanceof AppError) || !ofTheContent.has(cause.code)) throw cause;
  throw new AppError(
    'bad_gateway',
    'The response transform cannot get the destination’s response: its Content-Encoding is unknown or broken, or too much comes out of it.',
    { cause },
  );
}

const ofTheContent: ReadonlySet<ErrorCode> = new Set([
  'unsupported_media_type',
  'invalid_argument',
  'too_large',
]);
