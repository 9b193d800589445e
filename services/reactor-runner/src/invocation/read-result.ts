import { type JsonKind, JsonWalk } from '@glovebox/expressions/json-walk';
import { AppError } from '@glovebox/platform/errors/app-error';

/** What a reactor's code returned (contract/reactors.md#result), as JSON texts. */
export interface ReactorResult {
  readonly raw: string | undefined;
  readonly tokenize: string | undefined;
}

/**
 * Ignores other members; a `tokenize` that is null counts as absent.
 * @param result JSON text as the code's own JSON.stringify wrote it; empty for undefined
 * @throws AppError `internal` unless it is an object
 */
export function readResult(result: Buffer): ReactorResult {
  if (result.length === 0) return { raw: undefined, tokenize: undefined };
  const walk = new JsonWalk(result.toString());
  if (walk.kind !== 'object') throw notAnObject(walk.kind);
  const members = new Map<string, string>();
  walk.members((name) => {
    const value = walk.value();
    if (name === 'raw' || name === 'tokenize') members.set(name, value);
  });
  const tokenize = members.get('tokenize');
  return { raw: members.get('raw'), tokenize: tokenize === 'null' ? undefined : tokenize };
}

/** JSON text of a Reactor Response (contract/reactors.md#result). */
export function responseText(tokens: Buffer | undefined, raw: string | undefined): Buffer {
  const members: Buffer[] = [];
  if (tokens !== undefined) members.push(Buffer.from('"tokens":'), tokens);
  if (tokens !== undefined && raw !== undefined) members.push(Buffer.from(','));
  if (raw !== undefined) members.push(Buffer.from(`"raw":${raw}`));
  return Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')]);
}

function notAnObject(kind: JsonKind): AppError {
  const returned = kind === 'null' ? 'null' : kind === 'array' ? 'an array' : `a ${kind}`;
  return new AppError('internal', 'Reactor Runtime Error', {
    errors: { error: [`The code must return an object with raw or tokenize; it returned ${returned}.`] },
  });
}
