import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { ExpressionError } from '@glovebox/expressions/expression-error';
import { findExpressions } from '@glovebox/expressions/find-expressions';
import { expect } from 'chai';
import fc from 'fast-check';

import { type Target, target } from './target.ts';

/** A text in pieces: literal text, and places for one of the values. */
type Pieces = readonly (string | number)[];

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Pieces where a text would be. */
type Tree =
  | null
  | boolean
  | number
  | { readonly text: Pieces }
  | readonly Tree[]
  | { readonly members: readonly (readonly [string, Tree])[] };

const ids = ['one', 'two', 'three', 'four'];
const literal = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('}', '}}', 'a{b', ' ', '"', '\\', '%', '&=+', '\u2028'),
  )
  // An opening brace beside an expression makes another one of it.
  .map((text) => text.toWellFormed().replaceAll(/\{(?=\{|$)|^\{/g, ''));
const pieces: fc.Arbitrary<Pieces> = fc.array(fc.oneof(literal, fc.nat({ max: ids.length - 1 })), {
  maxLength: 4,
});
const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const values = fc.array(value, { minLength: ids.length, maxLength: ids.length });

const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.record({ text: pieces }),
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.record({
      members: fc.uniqueArray(fc.tuple(fc.string({ maxLength: 5 }), tie('tree')), {
        maxLength: 4,
        selector: ([name]) => name,
      }),
    }),
  ),
})).tree;

const written = (parts: Pieces, at: (nth: number) => string) =>
  parts.map((part) => (typeof part === 'string' ? part : `{{${at(part)}}}`)).join('');
const spaced = (nth: number) => `${' '.repeat(nth % 3)}${ids[nth]} `;
/** A value among other text (contract/expressions.md#substitution). */
const asText = (json: Json) => (typeof json === 'string' ? json : json === null ? '' : JSON.stringify(json));
const modelText = (parts: Pieces, all: readonly Json[]) =>
  parts.map((part) => (typeof part === 'string' ? part : asText(all[part] ?? null))).join('');

/** Fills a body with the values in the order in which it names them. */
function fill(contentType: string, body: string, all: readonly Json[]): string {
  const found = findExpressions(bodyGrammar(contentType), Buffer.from(body));
  return found.fill(found.expressions.map((id) => JSON.stringify(all[ids.indexOf(id)]))).toString();
}

function treeText(one: Tree, spellBraces: (json: string) => string): string {
  if (one === null || typeof one !== 'object') return JSON.stringify(one);
  if (Array.isArray(one)) return `[${one.map((item) => treeText(item, spellBraces)).join(' ,')}]`;
  if ('text' in one) return spellBraces(JSON.stringify(written(one.text, spaced)));
  const { members } = one as { members: readonly (readonly [string, Tree])[] };
  return `{ ${members.map(([name, item]) => `${JSON.stringify(name)} : ${treeText(item, spellBraces)}`).join()} }`;
}

function treeModel(one: Tree, all: readonly Json[]): Json {
  if (one === null || typeof one !== 'object') return one;
  if (Array.isArray(one)) return one.map((item) => treeModel(item as Tree, all));
  if ('text' in one) {
    const parts = one.text.filter((part) => part !== '');
    return parts.length === 1 && typeof parts[0] === 'number'
      ? (all[parts[0]] ?? null)
      : modelText(parts, all);
  }
  const { members } = one as { members: readonly (readonly [string, Tree])[] };
  return Object.fromEntries(members.map(([name, item]) => [name, treeModel(item, all)]));
}

const json = target(
  'JSON bodies, filled',
  'the filled body is the JSON that a naive model makes',
  150,
  fc.record({ body: tree, values, escaped: fc.boolean() }),
  ({ body, values: all, escaped }) => {
    const spell = (text: string) =>
      escaped ? text.replaceAll('{', '\\u007b').replaceAll('}', '\\u007D') : text;
    const filled = fill('application/json', treeText(body, spell), all);
    expect(JSON.parse(filled)).to.deep.equal(JSON.parse(JSON.stringify(treeModel(body, all))));
  },
);

const form = target(
  'forms, filled',
  'the pairs are those that a naive model makes',
  150,
  fc.record({
    pairs: fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 6 }), pieces), {
      minLength: 1,
      maxLength: 5,
    }),
    values,
    raw: fc.boolean(),
  }),
  ({ pairs, values: all, raw }) => {
    const encode = (text: string) =>
      raw ? encodeURIComponent(text).replaceAll('%7B', '{').replaceAll('%7D', '}') : encodeURIComponent(text);
    const names = pairs.map(([name]) => name.toWellFormed().replaceAll('{', ''));
    const body = pairs.map(
      ([, parts], at) => `${encodeURIComponent(names[at] ?? '')}=${encode(written(parts, spaced))}`,
    );
    const filled = fill('application/x-www-form-urlencoded', body.join('&'), all);
    const model = pairs.map(([, parts], at) => [names[at] ?? '', modelText(parts, all)]);
    expect([...new URLSearchParams(filled)]).to.deep.equal(
      model.map((pair) => pair.map((text) => text.toWellFormed())),
    );
  },
);

const text = target(
  'texts, filled',
  'the text is that which a naive model makes',
  100,
  fc.record({ parts: pieces, values }),
  ({ parts, values: all }) => {
    const filled = fill('text/plain', written(parts, spaced), all);
    expect(filled).to.equal(modelText(parts, all).toWellFormed());
  },
);

const multipart = target(
  'multipart bodies, filled',
  'each part is filled by its own grammar, and the parts stay those that they were',
  100,
  fc.record({ parts: fc.array(fc.tuple(fc.boolean(), pieces), { minLength: 1, maxLength: 4 }), values }),
  ({ parts, values: all }) => {
    const boundary = 'a-boundary-of-nothing-else';
    const typeOf = (isJson: boolean) => (isJson ? 'application/json' : 'text/plain');
    const part = ([isJson, one]: readonly [boolean, Pieces]) => {
      const content = isJson ? JSON.stringify([written(one, spaced)]) : written(one, spaced);
      return `--${boundary}\r\nContent-Type: ${typeOf(isJson)}\r\n\r\n${content}\r\n`;
    };
    const filled = fill(
      `multipart/form-data; boundary=${boundary}`,
      `${parts.map(part).join('')}--${boundary}--`,
      all,
    );
    const contents = filled.split(`--${boundary}`).slice(1, -1);
    expect(contents).to.have.length(parts.length);
    for (const [at, [isJson, one]] of parts.entries()) {
      const content = contents[at]?.slice(contents[at].indexOf('\r\n\r\n') + 4, -2) ?? '';
      if (isJson)
        expect(JSON.parse(content)).to.deep.equal([
          JSON.parse(JSON.stringify(treeModel({ text: one }, all))),
        ]);
      else expect(content).to.equal(modelText(one, all).toWellFormed());
    }
  },
);

const fragments = [
  '{{',
  '}}',
  '{',
  '}',
  '{{one}}',
  "{{one|f:'",
  '"',
  '\\u007b',
  '%7b%7b',
  '&',
  '=',
  '[',
  ']',
  ':',
  ',',
  '\r\n',
  '--b',
  '\r\n--b\r\n\r\n',
  '--b--',
  '\u0000',
];
const hostile = target(
  'bodies of any kind',
  'the answer is a body or an error of the common kind, and a body without expressions stays as it is',
  150,
  fc.record({
    type: fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/mixed; boundary=b',
      'text/plain; charset=utf-16',
      'image/png',
    ),
    body: fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary', maxLength: 6 })), {
      maxLength: 12,
    }),
  }),
  ({ type, body }) => {
    const bytes = Buffer.from(body.join(''));
    try {
      const found = findExpressions(bodyGrammar(type), bytes);
      const filled = found.fill(found.expressions.map(() => '"x"'));
      if (found.expressions.length === 0) expect(filled).to.equal(bytes);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
  },
);

export const bodies: readonly Target[] = [json, form, text, multipart, hostile];
