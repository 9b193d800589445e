import {
  type Method,
  type OpenApiDocument,
  type Operation,
  type PathItem,
  methods,
} from './openapi-document.ts';
import type { Everywhere, Piece } from './parse-piece.ts';

/** One document of all pieces, with what every operation has in each. @throws Error when two pieces say the same thing. */
export function mergePieces(pieces: readonly Piece[]): OpenApiDocument {
  const merged: Record<string, unknown> = {};
  let everywhere: Everywhere | undefined;
  for (const { file, 'x-every-operation': every, ...piece } of pieces) {
    everywhere ??= every;
    merge(merged, piece, file);
  }
  const whole = merged as unknown as OpenApiDocument;
  if (everywhere === undefined) return whole;
  return { ...whole, paths: withEverywhere(whole.paths, everywhere) };
}

function merge(into: Record<string, unknown>, from: object, at: string): void {
  for (const [name, value] of Object.entries(from)) {
    const path = `${at}: ${name}`;
    const there = into[name];
    if (isObject(value) && sections.includes(name)) merge((into[name] ??= {}) as typeof into, value, path);
    else if (there === undefined) into[name] = value;
    else if (Array.isArray(there) && Array.isArray(value)) into[name] = [...there, ...value] as unknown[];
    else throw new Error(`${path} is said twice`);
  }
}

/** What pieces add to; whatever else two of them have is a contradiction. */
const sections: readonly string[] = [
  'paths',
  'components',
  'schemas',
  'parameters',
  'headers',
  'responses',
  'securitySchemes',
];

function withEverywhere(paths: OpenApiDocument['paths'], everywhere: Everywhere): OpenApiDocument['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, completeItem(item, everywhere)]),
  );
}

function completeItem(item: PathItem, everywhere: Everywhere): PathItem {
  const own = Object.keys(item).filter((name): name is Method =>
    (methods as readonly string[]).includes(name),
  );
  const operations = own.map((method) => [method, complete(item[method] as Operation, everywhere)]);
  return { ...item, ...Object.fromEntries(operations) } as PathItem;
}

function complete(operation: Operation, { parameters, headers, responses }: Everywhere): Operation {
  if (operation.security?.length === 0) return operation;
  const own = Object.entries({ ...responses, ...operation.responses }).map(([status, response]) => [
    status,
    '$ref' in response ? response : { ...response, headers: { ...headers, ...response.headers } },
  ]);
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...parameters],
    responses: Object.fromEntries(own) as Operation['responses'],
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
