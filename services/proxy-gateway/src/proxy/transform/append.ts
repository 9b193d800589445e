import { isHeaderValue, valueOf } from '@glovebox/egress/header-list';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import type { Bounds } from '../../http/exchange.ts';
import { isTransformable } from '../receive/receive-request.ts';
import { checkJson, parseExactly } from './destination-json.ts';
import { setAtPlace } from './set-at-place.ts';
import type { Message } from './transformation.ts';

type Append = (message: Message, step: TransformStep, json: string, bounds: Bounds) => Message;

/** How a response is extended, by the type of the transform. */
export const appends: Readonly<Record<string, Append>> = {
  append_json: appendJson,
  append_text: ({ headers, body }, _step, json) => ({
    headers,
    body: Buffer.concat([body ?? Buffer.alloc(0), Buffer.from(textOf(json))]),
  }),
  append_header: ({ headers, body }, { location }, json) => {
    const text = textOf(json);
    if (isHeaderValue(text)) return { headers: [...headers, location, text], body };
    throw new AppError('internal', `The header ${location} would hold characters that HTTP cannot carry.`);
  },
};

function appendJson(
  { headers, body }: Message,
  { location }: TransformStep,
  json: string,
  { expressions: { maxDepth } }: Bounds,
): Message {
  const grammar = bodyGrammar(valueOf(headers, 'content-type'));
  if (body === undefined || grammar.kind !== 'json' || !isTransformable(grammar)) {
    throw new AppError(
      'unsupported_media_type',
      'The proxy appends to JSON, and the destination answered with none.',
    );
  }
  checkJson(body, maxDepth);
  const root = parseExactly(body.toString());
  if (!setAtPlace(root, location, parseExactly(json))) {
    throw new AppError('bad_gateway', `The destination’s response has no place ${location} to set.`);
  }
  return { headers, body: Buffer.from(JSON.stringify(root)) };
}

/** Among other text a value is itself, null nothing and all else JSON (contract/expressions.md#substitution). */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  if (value === null) return '';
  return typeof value === 'string' ? value : json;
}
