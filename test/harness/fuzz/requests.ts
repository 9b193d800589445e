import type { OpenApiDocument, Parameter, Reference, Schema } from '@glovebox/openapi/openapi-document';
import fc from 'fast-check';

import type { PublicOperation } from '../public-operations.ts';
import { arbitraryOf } from './arbitrary-of-schema.ts';
import { hostileText, hostileValue } from './hostile.ts';

/** A request that the description allows, or one that is wrong in one place, or in all. */
export interface FuzzRequest {
  readonly operation: PublicOperation;
  /** The values of the path's parameters, encoded; undefined: of something that there is. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** With the question mark, or empty. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly key: 'own' | 'other' | 'unknown' | 'none';
  /** Of the many things that there are. */
  readonly choice: number;
}

export function fuzzRequest(
  document: OpenApiDocument,
  operations: readonly PublicOperation[],
): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(...operations.map((operation) => requestOf(document, operation)));
}

function requestOf(document: OpenApiDocument, operation: PublicOperation): fc.Arbitrary<FuzzRequest> {
  const [type, content] = Object.entries(operation.operation.requestBody?.content ?? {})[0] ?? [];
  const schema = content?.schema ?? {};
  const media = type === undefined || type.includes('*') ? 'application/json' : type;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return fc.record({
    operation: fc.constant(operation),
    parameters: fc.record(Object.fromEntries(names.map((name) => [name, pathParameter]))),
    query: queryOf(document, operation),
    headers: fc.record(
      {
        'Content-Type': fc.oneof(
          { weight: 12, arbitrary: fc.constant(media) },
          { weight: 1, arbitrary: headerText },
          {
            weight: 1,
            arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'a/b; c'),
          },
        ),
        'SVC-TRACE-ID': headerText,
        'SVC-IDEMPOTENCY-KEY': fc.oneof(headerText, fc.constantFrom('again', 'x'.repeat(256))),
      },
      { requiredKeys: ['Content-Type'] },
    ),
    body: type === undefined ? fc.option(fc.string(), { nil: undefined, freq: 3 }) : bodyOf(document, schema),
    key: fc.constantFrom('own', 'own', 'own', 'own', 'own', 'own', 'own', 'other', 'unknown', 'none'),
    choice: fc.nat(),
  });
}

const pathParameter: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.uuid() },
  // A path cannot hold a broken character.
  {
    weight: 2,
    arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 500)) || '%'),
  },
  { weight: 1, arbitrary: fc.constantFrom('%', '%00', '%zz', '..', '%2e%2e', '%2F', ';', ':', '@') },
);

const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => text.trim());

function bodyOf(document: OpenApiDocument, schema: Schema): fc.Arbitrary<string | undefined> {
  const valid = arbitraryOf(document, schema);
  const json = (value: unknown) => JSON.stringify(value) ?? 'null';
  return fc.oneof(
    { weight: 5, arbitrary: valid.map(json) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(valid, fc.nat(), hostileValue)
        .map(([value, at, other]) => json(wrongAt(value, at, other))),
    },
    { weight: 1, arbitrary: hostileValue.map(json) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(valid.map(json), fc.nat())
        .map(([text, at]) => text.slice(0, at % (text.length + 1))),
    },
    { weight: 1, arbitrary: hostileText.map((text) => text.toWellFormed()) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, '', '[', '"', '{"a":1,"a":2}', '['.repeat(5000)),
    },
  );
}

/** The value with another in one of its places; the whole is one too. */
function wrongAt(value: unknown, at: number, other: unknown): unknown {
  const places: ((other: unknown) => unknown)[] = [(whole) => whole];
  const copy = structuredClone(value);
  collect(copy, places);
  return (places[at % places.length] as (other: unknown) => unknown)(other) ?? copy;

  function collect(part: unknown, into: typeof places): void {
    if (typeof part !== 'object' || part === null) return;
    for (const name of Object.keys(part)) {
      into.push((wrong) => {
        Object.defineProperty(part, name, {
          value: wrong,
          enumerable: true,
          configurable: true,
          writable: true,
        });
        return copy;
      });
      collect((part as Record<string, unknown>)[name], into);
    }
  }
}

/** Objects without a prototype have no text of their own. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? '');
}

function queryOf(document: OpenApiDocument, { path, operation }: PublicOperation): fc.Arbitrary<string> {
  const shared = document.paths[path]?.parameters ?? [];
  const parameters = [...shared, ...(operation.parameters ?? [])]
    .map((one) => parameterOf(document, one))
    .filter((one) => one.in === 'query' && !one.name.includes('proxy-key'));
  const pair = (one: Parameter) =>
    fc
      .oneof(
        { weight: 4, arbitrary: arbitraryOf(document, one.schema ?? {}) },
        { weight: 1, arbitrary: hostileText },
      )
      .map((value) =>
        (Array.isArray(value) ? value : [value])
          .map((each) => `${one.name}=${encodeURIComponent(textOf(each).toWellFormed())}`)
          .join('&'),
      );
  const junk = fc.constantFrom(
    'page=-1',
    'size=1e9',
    'size=',
    'page=a&page=b',
    '%zz=%',
    '=&&=',
    'metadata.=x',
    'id=',
    'start=AAAA',
  );
  const pairs = fc.oneof(
    { weight: 8, arbitrary: fc.subarray(parameters).chain((some) => fc.tuple(...some.map(pair))) },
    { weight: 2, arbitrary: junk.map((one) => [one]) },
  );
  return pairs.map((all) => (all.length === 0 ? '' : `?${all.join('&')}`));
}

function parameterOf({ components }: OpenApiDocument, one: Parameter | Reference): Parameter {
  if (!('$ref' in one)) return one;
  return components.parameters[one.$ref.split('/').at(-1) as string] as Parameter;
}
