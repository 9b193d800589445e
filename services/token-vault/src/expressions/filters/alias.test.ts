import { expect } from 'chai';
import fc from 'fast-check';

import { Subject, evaluateExpression } from '../evaluate.ts';
import { parseExpression } from '../parse.ts';

const shapes: readonly (readonly [input: string, filters: string, shape: RegExp])[] = [
  ['QRS98765', 'alias_preserve_format', /^[a-z]{3}\d{5}$/],
  ['QRS98765', 'alias_preserve_format: 3', /^QRS\d{5}$/],
  ['555-01-2222', 'alias_preserve_format: 0, 4', /^\d{3}-\d\d-2222$/],
  ['Ünï 5!', 'alias_preserve_format', /^[a-z]{3} \d!$/],
  ['QRS98765', 'alias_preserve_length: 0, 2', /^[a-z0-9]{6}65$/],
  ['ann.lee', 'alias_preserve_length', /^[a-z0-9]{7}$/],
  ['a-b c', 'alias_preserve_length', /^[a-z0-9]{5}$/],
  ['😀😀', 'alias_preserve_length', /^[a-z0-9]{2}$/],
  ['4242424242424242', 'alias_card', /^\d{16}$/],
  ['4242424242424242', "alias_card: 'true'", /^42424242\d{8}$/],
  ['4242424242424242', "alias_card: 'true', 'true'", /^42424242\d{4}4242$/],
  ['4242424242424242', "alias_card: 'false', 'true'", /^\d{12}4242$/],
  ['378282246310005', 'alias_card: true, true', /^378282\d{5}0005$/],
  ['3622-7206 2716-5567', 'alias_card: true', /^3622-7206 \d{4}-\d{4}$/],
];

describe('alias filters', () => {
  for (const [input, filters, shape] of shapes) {
    it(`${input} | ${filters} keeps the shape ${shape.source}`, () => {
      for (let i = 0; i < 20; i += 1) expect(alias(input, filters)).to.match(shape);
    });
  }

  it('give another result nearly every time', () => {
    for (const filters of ['alias_preserve_format', 'alias_preserve_length', 'alias_card']) {
      const results = new Set(Array.from({ length: 200 }, () => alias('4242424242424242', filters)));
      expect(results.size, filters).to.be.greaterThan(195);
    }
  });

  it('use every digit and letter about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of Array.from({ length: 200 }, () =>
      alias('a'.repeat(180), 'alias_preserve_length'),
    ).join('')) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).to.equal(36);
    for (const [character, count] of counts) expect(count, character).to.be.within(800, 1200);
  });

  it('keep length, revealed ends and separators for any text', () => {
    const inputs = fc.record({
      text: fc.string({ minLength: 1, maxLength: 50 }),
      first: fc.nat(10),
      last: fc.nat(10),
    });
    fc.assert(
      fc.property(inputs, ({ text, first, last }) => {
        fc.pre(first + last < text.length);
        const result = alias(text, `alias_preserve_format: ${String(first)}, ${String(last)}`);
        expect(result).to.have.length(text.length);
        expect(result.slice(0, first)).to.equal(text.slice(0, first));
        expect(result.slice(text.length - last)).to.equal(text.slice(text.length - last));
        expect(result.slice(first, text.length - last).replace(/[a-z0-9]/g, '')).to.equal(
          text.slice(first, text.length - last).replace(/[A-Za-z0-9]/g, ''),
        );
      }),
    );
  });

  it('leave null alone', () => {
    const nothing = new Subject('null');
    for (const filters of ['alias_preserve_format', 'alias_preserve_length', 'alias_card']) {
      expect(evaluateExpression(parseExpression(`some-id | ${filters}`), nothing)).to.equal('null');
    }
  });
});

function alias(input: string, filters: string): string {
  const result: unknown = JSON.parse(
    evaluateExpression(parseExpression(`some-id | ${filters}`), new Subject(JSON.stringify(input))),
  );
  return String(result);
}
