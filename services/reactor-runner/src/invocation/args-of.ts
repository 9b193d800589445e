import { isUtf8 } from 'node:buffer';

import { JsonWalk } from '@glovebox/expressions/json-walk';
import { AppError } from '@glovebox/platform/errors/app-error';

/**
 * The member `args` of a request's body, at its offset: everything before it is blanked, so that an error that names a
 * byte names the right one. Absent arguments are an empty object. Other members are ignored.
 *
 * @throws AppError `invalid_argument` unless the body is empty or a JSON object
 */
export function argsOf(body: Buffer): Buffer {
  if (body.length === 0) return none;
  const text = read(body);
  const walk = new JsonWalk(text);
  if (walk.kind !== 'object') throw invalid('The body must be a JSON object.');
  let start = 0;
  let args: string | undefined;
  walk.members((name) => {
    const { at } = walk;
    const value = walk.value();
    if (name === 'args') [start, args] = [at, value];
  });
  if (args === undefined) return none;
  return Buffer.concat([Buffer.alloc(Buffer.byteLength(text.slice(0, start)), ' '), Buffer.from(args)]);
}

const none = Buffer.from('{}');

/** The parser's own message is not passed on: it quotes the text. */
function read(body: Buffer): string {
  if (!isUtf8(body)) throw invalid('The body is not valid UTF-8.');
  const text = body.toString();
  try {
    JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
  return text;
}

function invalid(message: string): AppError {
  return new AppError('invalid_argument', message);
}
