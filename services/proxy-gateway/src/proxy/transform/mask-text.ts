import { isUtf8 } from 'node:buffer';

import { valueOf } from '@glovebox/egress/header-list';
import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { TransformStep } from '@glovebox/protos/published/v1/published';

import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import type { Message, TransformDependencies } from './transformation.ts';

/** Every long run of digits: better to mask too much than too little. */
const cardNumbers = String.raw`(\d{13,})`;

/**
 * Runs in the runner, which ends a pattern that takes for ever. In each match, every occurrence of what a group has
 * captured is overwritten, unit by unit.
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
  { exchange, proxy }: ProxyInvocation,
  { expression, replacement }: TransformStep,
  message: Message,
  { runner }: TransformDependencies,
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
  // Bytes that are no text are searched as they are.
  const encoding = isUtf8(body) ? 'utf8' : 'latin1';
  const argument = { text: body.toString(encoding), expression: expression || cardNumbers, replacement };
  const run = { tenantId: proxy.tenantId, code, argument: Buffer.from(JSON.stringify(argument)) };
  const result = await runner.run(exchange, run).catch((cause: unknown) => {
    // JSON escapes can make an allowed body too large for the runner.
    if (!(cause instanceof AppError) || cause.code !== 'invalid_argument') throw cause;
    throw new AppError('bad_gateway', 'The destination’s response is too large to be masked.', { cause });
  });
  const masked: unknown = JSON.parse(result);
  if (typeof masked !== 'string') throw new AppError('internal', 'The response could not be masked.');
  return { headers, body: Buffer.from(masked, encoding) };
}
