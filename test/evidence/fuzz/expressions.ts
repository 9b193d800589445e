import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';
import fc from 'fast-check';

import { Subject, evaluateExpression } from '../../../services/token-vault/src/expressions/evaluate.ts';
import { WorkBudget } from '../../../services/token-vault/src/expressions/expression-limits.ts';
import { compileJsonPath } from '../../../services/token-vault/src/expressions/filters/json-path.ts';
import { filters } from '../../../services/token-vault/src/expressions/filters/registry.ts';
import { parseExpression } from '../../../services/token-vault/src/expressions/parse.ts';
import { type Target, target } from './target.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const id = '7b1f8f2c-0000-4000-8000-000000000000';
const evaluate = (chain: string, data: unknown): unknown =>
  JSON.parse(
    evaluateExpression(
      parseExpression(`${id} ${chain}`),
      new Subject(JSON.stringify(data)),
      new WorkBudget(),
    ),
  );

/** What is refused has to be refused as every error of the API is. */
function orRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') return undefined;
    throw error;
  }
}

const argument = fc.oneof(
  fc.integer({ min: -5, max: 70_000 }).map(String),
  fc.string({ unit: 'grapheme-ascii', maxLength: 6 }).map((text) => `'${text.replaceAll("'", '')}'`),
  fc.constantFrom(
    "''",
    '"',
    'nil',
    'true',
    "'$..*'",
    "'$[0]'",
    "'$.a'",
    '1.5',
    '-0',
    'a.b',
    "'sha-256'",
    '🂡',
    ',',
  ),
);
const filter = fc
  .tuple(fc.constantFrom(...filters.keys(), 'nosuch', ''), fc.array(argument, { maxLength: 3 }))
  .map(([name, args]) => `| ${name}${args.length === 0 ? '' : `: ${args.join(', ')}`}`);

const anyChain = target(
  'expressions and filters of any kind',
  'the result is JSON, or a 400',
  150,
  fc.record({
    chain: fc.oneof(
      { weight: 4, arbitrary: fc.array(filter, { maxLength: 4 }).map((all) => all.join(' ')) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
    ),
    data: fc.jsonValue({ maxDepth: 3 }),
  }),
  ({ chain, data }) => void orRefused(() => evaluate(chain, data)),
);

/** Filters of text as one would write them without a thought for speed. */
const models: Readonly<Record<string, (text: string, a: string, b: string) => string>> = {
  append: (text, a) => text + a,
  prepend: (text, a) => a + text,
  replace: (text, a, b) => (a === '' ? text : text.split(a).join(b)),
  remove: (text, a) => (a === '' ? text : text.split(a).join('')),
  last4: (text) => [...text].slice(-4).join(''),
};
const arity: Readonly<Record<string, number>> = { append: 1, prepend: 1, replace: 2, remove: 1, last4: 0 };
const few = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '😀'), maxLength: 8 });

const modelled = target(
  'filters of text against a model',
  'the result is that of the naive model',
  100,
  fc.record({
    text: few,
    steps: fc.array(fc.tuple(fc.constantFrom(...Object.keys(models)), few, few), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  ({ text, steps }) => {
    const usable = steps.map(([name, a, b]) => [name, a || 'a', b] as const);
    const chain = usable.map(
      ([name, a, b]) => `| ${name}${['', `: '${a}'`, `: '${a}', '${b}'`][arity[name] ?? 0]}`,
    );
    const model = usable.reduce((so, [name, a, b]) => models[name]?.(so, a, b) ?? so, text);
    expect(evaluate(chain.join(' '), text)).to.equal(model);
  },
);

type Segment =
  | readonly ['name', string]
  | readonly ['index', number]
  | readonly ['all']
  | readonly ['below', string]
  | readonly ['slice', number, number];

const names = ['a', 'b', 'c'];
const small = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.constantFrom<Json>(null, true, 1, 'x'),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).json;
const segment: fc.Arbitrary<Segment> = fc.oneof(
  fc.constantFrom(...names).map((name): Segment => ['name', name]),
  fc.integer({ min: -4, max: 4 }).map((at): Segment => ['index', at]),
  fc.constant<Segment>(['all']),
  fc.constantFrom(...names).map((name): Segment => ['below', name]),
  fc
    .tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 }))
    .map(([from, to]): Segment => ['slice', from, to]),
);

const spelled = (one: Segment): string => {
  if (one[0] === 'name') return `['${one[1]}']`;
  if (one[0] === 'index') return `[${one[1]}]`;
  if (one[0] === 'all') return '[*]';
  return one[0] === 'below' ? `..${one[1]}` : `[${one[1]}:${one[2]}]`;
};

/** RFC 9535, as its definitions read. */
function select(nodes: readonly Json[], one: Segment): Json[] {
  const children = (node: Json): Json[] =>
    node !== null && typeof node === 'object' ? Object.values(node) : [];
  const named = (node: Json, name: string): Json[] =>
    node !== null && typeof node === 'object' && !Array.isArray(node) && Object.hasOwn(node, name)
      ? [node[name] as Json]
      : [];
  const descendants = (node: Json): Json[] => [node, ...children(node).flatMap(descendants)];
  return nodes.flatMap((node) => {
    if (one[0] === 'name') return named(node, one[1]);
    if (one[0] === 'all') return children(node);
    if (one[0] === 'below') return descendants(node).flatMap((each) => named(each, one[1]));
    if (!Array.isArray(node)) return [];
    if (one[0] === 'slice') return node.slice(one[1], one[2]);
    const at = one[1] < 0 ? node.length + one[1] : one[1];
    return at >= 0 && at < node.length ? [node[at] as Json] : [];
  });
}

const paths = target(
  'JSONPath against a model',
  'the value is the one that the definitions of RFC 9535 select; none is null, several are a 400',
  100,
  fc.record({ data: small, path: fc.array(segment, { minLength: 1, maxLength: 4 }) }),
  ({ data, path }) => {
    if (data === null || typeof data !== 'object') return;
    const found = orRefused(() => compileJsonPath(`$${path.map(spelled).join('')}`)(data, new WorkBudget()));
    const model = path.reduce<Json[]>(select, [data]);
    if (model.length > 1) expect(found).to.equal(undefined);
    else expect(found).to.deep.equal(model[0] ?? null);
  },
);

export const expressions: readonly Target[] = [anyChain, modelled, paths];
