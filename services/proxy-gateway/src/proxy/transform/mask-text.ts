import { isUtf8 } from 'node:buffer';

import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import { valueOf } from '../../http/headers/header-list.ts';
import type { Message, Transformation } from './transformation.ts';

/** Too many digits for anything but a card number or what looks like one: rather too much is masked than too little. */
const cardNumbers = String.raw`(\d{13,})`;

/**
 * Runs where a pattern that takes for ever is ended: with the tenant's own code. In each match, every occurrence of what
 * a group has captured is overwritten, unit by unit.
 */
const code = `module.exports = ({ text, expression, replacement }) => {
  let masked = '';
  let from = 0;
  for (const match of text.matchAll(new RegExp(expression, 'g'))) {
    const [whole, ...captured] = match;
    const units = whole.split('');
    for (const part of captured) {
      if (!part) continue;
      for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + 1)) {
        units.fill(replacement, at, at + part.length);
      }
    }
    masked += text.slice(from, match.index) + units.join('');
    from = match.index + whole.length;
  }
  return masked + text.slice(from);
};`;

/** @throws AppError: a body that cannot be masked is not answered */
export async function maskText(
  { invocation, runner }: Transformation,
  { expression, replacement }: TransformStep,
  message: Message,
): Promise<Message> {
  const { headers, body } = message;
  if (body === undefined) return message;
  const grammar = bodyGrammar(valueOf(headers, 'content-type'));
  if ('utf8' in grammar && !grammar.utf8) {
    throw new AppError(
      'unsupported_media_type',
      'The proxy masks responses, and the destination’s is not in UTF-8.',
    );
  }
  // Bytes that are no text are looked through as they are.
  const encoding = isUtf8(body) ? 'utf8' : 'latin1';
  const argument = { text: body.toString(encoding), expression: expression || cardNumbers, replacement };
  const { exchange, proxy } = invocation;
  const run = { tenantId: proxy.tenantId, code, argument: Buffer.from(JSON.stringify(argument)) };
  const result = await runner.run(exchange, run).catch((cause: unknown) => {
    // Of characters that JSON escapes, fewer bytes than a transform may take are too many for the runner.
    if (!(cause instanceof AppError) || cause.code !== 'invalid_argument') throw cause;
    throw new AppError('bad_gateway', 'The destination’s response is too large to be masked.', { cause });
  });
  const masked: unknown = JSON.parse(result);
  if (typeof masked !== 'string') throw new AppError('internal', 'The response could not be masked.');
  return { headers, body: Buffer.from(masked, encoding) };
}
