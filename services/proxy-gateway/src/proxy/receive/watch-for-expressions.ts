import type { BodyGrammar } from '@glovebox/expressions/body-grammar';
import { ExpressionScanner } from '@glovebox/expressions/contains';
import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * Passes on a body that is too large to be read whole, chunk by chunk, until it turns out to hold an expression: then
 * the request is broken off, so that no destination takes it for complete, and the error asks the caller to send less.
 * The first part that was read already is looked at before anything is passed on, and then given up chunk by chunk.
 */
export async function* watchForExpressions(
  grammar: BodyGrammar,
  first: Buffer[],
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const scanner = new ExpressionScanner(grammar);
  for (const chunk of first) watched(scanner, chunk);
  for (let chunk = first.shift(); chunk !== undefined; chunk = first.shift()) yield chunk;
  for await (const chunk of rest) yield watched(scanner, chunk);
}

function watched(scanner: ExpressionScanner, chunk: Buffer): Buffer {
  if (!scanner.push(chunk)) return chunk;
  throw new AppError(
    'too_large',
    'A body of this size cannot be searched for expressions, and it holds one.',
  );
}
