import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { evaluateMask } from './mask.ts';

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
const cardMask = {
  number: '{{ data.number | reveal_last: 4 }}',
  expiration_month: '{{ data.expiration_month }}',
  expiration_year: '{{ data.expiration_year }}',
};

const rows: readonly (readonly [
  what: string,
  mask: JsonValue,
  data: JsonValue,
  shown: JsonValue | undefined,
])[] = [
  [
    'a card as by default, without its cvc',
    cardMask,
    card,
    { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 },
  ],
  ['a card without its expiration', cardMask, { number: card.number }, { number: 'XXXXXXXXXXXX4242' }],
  ['a text', '{{ data | reveal_last: 4 }}', '123-45-6789', 'XXX-XX-6789'],
  ['an employer id', '{{ data | reveal_last: 4 }}', '12-3456789', 'XX-XXX6789'],
  ['an account number', '{{ data | reveal_last: 4 }}', '1234567890', 'XXXXXX7890'],
  ['a short value whole', '{{ data | reveal_last: 4 }}', '123', '123'],
  [
    'what a patched token shows',
    { a: '{{ data.a }}', c: "{{ data.c | reveal_last: 4, '#' }}" },
    { a: 'uno', c: 'secret' },
    { a: 'uno', c: '##cret' },
  ],
  [
    'what is not an expression as it is',
    { a: 'x', b: 1, c: true, d: [1, 'y'] },
    card,
    { a: 'x', b: 1, c: true, d: [1, 'y'] },
  ],
  ['nothing for null', { a: null, b: '{{ data.cvv }}' }, card, {}],
  ['nothing at all for a null mask', null, card, undefined],
  ['nothing at all where the whole mask gives null', '{{ data.cvv }}', card, undefined],
  ['null inside a list, to keep its places', ['{{ data.cvv }}', '{{ data.cvc }}'], card, [null, '123']],
  ['nested objects', { a: { b: { c: '{{ data.cvc | last4 }}' } } }, card, { a: { b: { c: '123' } } }],
  ['an object whole', { card: '{{ data }}' }, card, { card }],
  ['text around', 'ends in {{ data.number | last4 }}', card, 'ends in 4242'],
  ['false', { a: '{{ data.a }}', b: false }, { a: false }, { a: false, b: false }],
];

describe('evaluateMask', () => {
  for (const [what, mask, data, shown] of rows) {
    it(`shows ${what}`, () => {
      expect(evaluateMask(mask, data)).to.deep.equal(shown);
    });
  }

  it('leaves out what cannot be evaluated, and shows the rest', () => {
    const mask = {
      a: '{{ data.a | to_number }}',
      b: '{{ data.b }}',
      c: ['{{ data.a | to_boolean }}'],
      d: '{{ oops',
    };
    expect(evaluateMask(mask, { a: 'x', b: 'y' })).to.deep.equal({ b: 'y', c: [null] });
  });

  it('reports what cannot be evaluated, by its path, to a caller that asks', () => {
    const problems: string[] = [];
    const mask = { a: '{{ data.a | to_number }}', c: [1, '{{ data.a | to_boolean }}'], d: { e: '{% if %}' } };
    evaluateMask(mask, { a: 'x' }, (path, message) => problems.push(`${path}: ${message}`));
    expect(problems).to.deep.equal([
      '.a: Filter to_number: its input must be a number.',
      '.c[1]: Filter to_boolean: its input must be "true" or "false".',
      '.d.e: Liquid tags ({% … %}) are not supported.',
    ]);
  });

  it('reports a problem of the whole mask under no path', () => {
    const problems: string[] = [];
    evaluateMask('{{ data | to_number }}', 'x', (path) => problems.push(path));
    expect(problems).to.deep.equal(['']);
  });

  it('makes no prototype of a property that is called like one', () => {
    const mask = JSON.parse('{"__proto__": {"a": "{{ data }}"}}') as JsonValue;
    const shown = evaluateMask(mask, 'x');
    expect(JSON.stringify(shown)).to.equal('{"__proto__":{"a":"x"}}');
    expect(Object.getPrototypeOf(shown)).to.equal(Object.prototype);
  });

  it('does a bounded amount of work for the whole mask, however many expressions it has', () => {
    const data = { a: 'x'.repeat(1_000_000) };
    const mask = Array.from({ length: 1000 }, () => '{{ data.a | upcase }}');
    const problems: string[] = [];
    const shown = evaluateMask(mask, data, (_path, message) => problems.push(message));
    expect(JSON.stringify(shown).length).to.be.lessThan(5_000_000);
    expect(problems[0]).to.equal('The expression takes too much work.');
  });
});
