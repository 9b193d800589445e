import {
  type Method,
  type OpenApiDocument,
  type Operation,
  type PathItem,
  methods,
} from './openapi-document.ts';
import type { Piece, Shared } from './parse-piece.ts';

/** One document of all pieces, with what every operation has in each. @throws Error when two pieces say the same thing. */
export function mergePieces(pieces: readonly Piece[]): OpenApiDocument {
  const merged: Record<string, unknown> = {};
  for (const { file, ...piece } of pieces) merge(merged, piece, file);
  if (!isWhole(merged)) throw new Error('the pieces are no document');
  const { 'x-every-operation': every, 'x-every-keyed-operation': keyed, ...whole } = merged;
  return {
    ...whole,
    paths: mapOperations(whole.paths, (method, one) => complete(method, one, every, keyed)),
  };
}

type Whole = OpenApiDocument & Pick<Piece, 'x-every-operation' | 'x-every-keyed-operation'>;

function isWhole(merged: object): merged is Whole {
  return 'paths' in merged;
}

function merge(into: Record<string, unknown>, from: object, at: string): void {
  for (const [name, value] of Object.entries(from)) {
    const path = `${at}: ${name}`;
    const there = into[name];
    if (isObject(value) && sections.has(name)) merge((into[name] ??= {}) as typeof into, value, path);
    else if (there === undefined) into[name] = value;
    else if (Array.isArray(there) && Array.isArray(value)) into[name] = [...there, ...value] as unknown[];
    else throw new Error(`${path} is defined twice`);
  }
}

/** What pieces add to; whatever else two of them have is a contradiction. */
const sections: ReadonlySet<string> = new Set([
  'paths',
  'webhooks',
  'components',
  'schemas',
  'parameters',
  'headers',
  'responses',
  'securitySchemes',
]);

function mapOperations(
  paths: OpenApiDocument['paths'],
  map: (method: Method, operation: Operation) => Operation,
): OpenApiDocument['paths'] {
  const items = Object.entries(paths).map(([path, item]): [string, PathItem] => {
    const own = methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[method, map(method, operation)]];
    });
    return [path, { ...item, ...Object.fromEntries(own) } as PathItem];
  });
  return Object.fromEntries(items);
}

const keyedMethods: ReadonlySet<Method> = new Set(['post', 'put', 'patch']);

function complete(method: Method, operation: Operation, every?: Shared, keyed?: Shared): Operation {
  if (operation.security?.length === 0) return operation;
  const takesKey = keyedMethods.has(method) && operation['x-idempotency-key'] !== 'ignored';
  const completed = every === undefined ? operation : withShared(operation, every);
  return takesKey && keyed !== undefined ? withShared(completed, keyed) : completed;
}

/** What the operation says itself comes first, and counts. */
function withShared(operation: Operation, { parameters, headers, responses }: Shared): Operation {
  const all = Object.entries({ ...responses, ...operation.responses }).map(([status, response]) => [
    status,
    '$ref' in response ? response : { ...response, headers: { ...headers, ...response.headers } },
  ]);
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...parameters],
    responses: Object.fromEntries(all) as Operation['responses'],
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
