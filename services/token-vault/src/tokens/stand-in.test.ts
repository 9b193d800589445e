import { expect } from 'chai';
import fc from 'fast-check';

import { hasAbaCheckDigit, hasLuhnCheckDigit } from './check-digits.ts';
import { standInOf, standInOfText, standInOfValue } from './stand-in.ts';
import { tokenTypes } from './token-type.ts';

/** Another value of the same shape: each character by another one of its class. */
function another<T>(value: T, next: (bound: number) => number): T {
  const within = (start: number, count: number) => String.fromCodePoint(start + next(count));
  const ofText = (text: string) =>
    text.replace(/\p{L}|\d/gu, (character) => {
      if (/\d/.test(character)) return within(0x30, 10);
      if (/[a-z]/.test(character)) return within(0x61, 26);
      return /[A-Z]/.test(character) ? within(0x41, 26) : character;
    });
  if (typeof value === 'string') return ofText(value) as T;
  if (typeof value === 'boolean') return (next(2) === 1) as T;
  if (typeof value === 'number') {
    return Number(String(value).replace(/[1-9]/g, () => String(1 + next(9)))) as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => another(item, next)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, another(item as unknown, next)]),
  ) as T;
}

const card = {
  number: '4242424242424242',
  expiration_month: 4,
  expiration_year: 2028,
  cvc: '123',
  holder: 'Ada L',
};
/** Of each type that there is, and of `token` some more. */
const examples: Readonly<Record<string, readonly unknown[]>> = {
  token: [
    's3cret',
    42,
    -1.25,
    true,
    null,
    [1, 'a'],
    { a: { b: 'x@y.example', n: [false] } },
    '',
    '📇 Zoë 漢',
  ],
  card: [card, { number: '378282246310005' }, { ...card, expiration_month: 12 }],
  network_token: [card],
  bank: [{ routing_number: '021000021', account_number: '1234567890' }],
  card_number: ['4242424242424242', '4000000000006'],
  us_bank_account_number: ['123', '12345678901234567'],
  us_bank_routing_number: ['021000021'],
  social_security_number: ['123-45-6789', '123456789'],
  employer_id_number: ['12-3456789'],
};

describe('a stand-in', () => {
  it('is there for every type of tokens', () => {
    expect(Object.keys(examples)).to.have.members([...tokenTypes.keys()]);
  });

  for (const [type, values] of Object.entries(examples)) {
    it(`of ${type} depends on the shape of the data and on its seed, and on nothing else`, () => {
      for (const value of values) {
        const standIn = standInOf(type, JSON.stringify(value), 'seed');
        fc.assert(
          fc.property(fc.infiniteStream(fc.nat(1_000_000)), (stream) => {
            const other = another(value, (bound) => (stream.next().value as number) % bound);
            expect(standInOf(type, JSON.stringify(other), 'seed')).to.equal(standIn);
          }),
          { numRuns: 25 },
        );
      }
    });

    it(`of ${type} is itself valid data of the type`, () => {
      for (const value of values) {
        for (const seed of ['a', 'b', 'c', 'd', 'e']) {
          const standIn = JSON.parse(standInOf(type, JSON.stringify(value), seed));
          const problems: string[] = [];
          tokenTypes.get(type)?.readData(standIn, (path, problem) => problems.push(`${path} ${problem}`));
          expect(problems, `${JSON.stringify(value)} became ${JSON.stringify(standIn)}`).to.deep.equal([]);
        }
      }
    });
  }

  it('is another one for another seed', () => {
    const all = new Set(
      Array.from({ length: 50 }, (_, n) => standInOf('card', JSON.stringify(card), String(n))),
    );
    expect(all.size).to.equal(50);
  });

  it('has the length of the value, its structure, and what separates its parts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, seed) => {
        const standIn = standInOfValue(value as never, seed);
        const shape = (one: unknown): unknown => {
          if (typeof one === 'string') return [one.length, Buffer.byteLength(one)];
          if (Array.isArray(one)) return one.map(shape);
          if (typeof one !== 'object' || one === null) return typeof one;
          return Object.entries(one).map(([key, item]) => [key, shape(item)]);
        };
        expect(shape(standIn)).to.deep.equal(shape(value));
      }),
    );
    expect(standInOfText('12.50', 's')).to.match(/^\d\d\.\d\d$/);
    expect(standInOfText('ada@example.org', 's')).to.match(/^[a-z]{3}@[a-z]{7}\.[a-z]{3}$/);
    expect(standInOfText('https://api.example.org/v1', 's')).to.match(/^https:\/\/[a-z]{3}\./);
    expect(standInOfText('4242 4242 4242 4242', 's').replaceAll(' ', '')).to.satisfy(hasLuhnCheckDigit);
    expect(JSON.parse(standInOf('us_bank_routing_number', '"021000021"', 's'))).to.satisfy(hasAbaCheckDigit);
    expect(standInOfText('true', 's')).to.be.oneOf(['true', 'false']);
  });

  it('shows no other character of the value, not even where there are only marks', () => {
    for (const text of ['-----', '../..', '!!##', '@', ':::::', '+-+-+']) {
      expect(standInOfText(text, 'seed')).to.match(/^[!#$%&*=?^~]+$/);
    }
  });
});
