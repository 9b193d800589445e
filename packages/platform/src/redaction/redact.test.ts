import { expect } from 'chai';
import fc from 'fast-check';

import { redact } from './redact.ts';

type Encode = (value: string, offset: string) => string;

const bytes = (text: string) => Buffer.from(text);
const percent = (text: string) =>
  Array.from(bytes(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const units = (text: string) =>
  text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));

/** What must not be left of a value, however it is written; `offset` precedes it in what is encoded. */
const encodings: Readonly<Record<string, Encode>> = {
  raw: (value) => value,
  'JSON-escaped': (value) => JSON.stringify(value).slice(1, -1),
  'JSON-escaped twice': (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  'JSON-escaped unit by unit': (value) =>
    units(value)
      .map((unit) => `\\u${unit}`)
      .join(''),
  base64: (value, offset) =>
    bytes(offset + value)
      .toString('base64')
      .slice(Math.ceil((8 * offset.length) / 6)),
  base64url: (value, offset) =>
    bytes(offset + value)
      .toString('base64url')
      .slice(Math.ceil((8 * offset.length) / 6)),
  'base64 in lines': (value) => bytes(value).toString('base64').replaceAll(/.{8}/g, '$&\r\n'),
  'base64 in a query': (value) => encodeURIComponent(bytes(value).toString('base64')),
  'hex in lower case': (value) => bytes(value).toString('hex'),
  'hex in upper case': (value) => bytes(value).toString('hex').toUpperCase(),
  'bytes as Node shows them': (value) =>
    bytes(value)
      .toString('hex')
      .replaceAll(/..(?=.)/g, '$& '),
  'percent-encoded': (value) => encodeURIComponent(value),
  'percent-encoded in lower case': (value) =>
    encodeURIComponent(value).replaceAll(/%../g, (found) => found.toLowerCase()),
  'percent-encoded whole': percent,
  'as in a form': (value) => new URLSearchParams([['', value]]).toString().slice(1),
};

/** Characters that HTTP, JSON and percent-encoding treat in ways of their own are as frequent as all others. */
const character = fc.oneof(
  fc.constantFrom(...'"\\/%+ -_.&=\n\t{}é€😀u0041'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
);
const text = fc.array(character, { minLength: 6, maxLength: 40 }).map((characters) => characters.join(''));
const digits = fc
  .array(fc.constantFrom(...'0123456789'), { minLength: 6, maxLength: 19 })
  .map((found) => found.join(''));
/** Of what no encoding is made: what is left over is a value's and nothing else's. */
const around = fc.string({ unit: fc.constantFrom(...'<>()[];?!|'), maxLength: 12 });

describe('a text that values are struck out of', () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it(`holds none of them ${name}`, () => {
      const offset = fc.constantFrom('', 'a', 'ab');
      fc.assert(
        fc.property(fc.oneof(text, digits), offset, around, around, (value, before, left, right) => {
          const written = encode(value, before);
          const [redacted] = redact([`${left}${written}${right}`], [value]) ?? [];
          expect(redacted).to.be.a('string');
          // In base64 the characters at both ends are shared with what is next to the value.
          const shared = name.startsWith('base64')
            ? /^[\w+/-]{0,3}\*\*\*(?:[\w+/-]|%2[BF])?(?:=|%3D|\s)*$/
            : /^\*\*\*$/;
          expect(redacted!.slice(left.length, redacted!.length - right.length)).to.match(shared);
        }),
        { numRuns: 400 },
      );
    });
  }

  it('holds no digits of them with separators between', () => {
    const separator = fc.constantFrom('', ' ', '-', '.', ' - ', '\u00a0', '\u2013', '/');
    fc.assert(
      fc.property(digits, fc.array(separator, { minLength: 19, maxLength: 19 }), (value, separators) => {
        const written = Array.from(value, (digit, at) => (at === 0 ? '' : separators[at]) + digit).join('');
        expect(redact([`(${written})`], [value])).to.deep.equal(['(***)']);
        expect(redact([`(${value})`], [written])).to.deep.equal(['(***)']);
      }),
    );
  });

  it('holds no long beginning of them at its end, where it was cut', () => {
    const long = fc.array(text, { minLength: 100, maxLength: 120 }).map((texts) => texts.join(''));
    fc.assert(
      fc.property(long, fc.integer({ min: 300, max: 599 }), (value, length) => {
        const [redacted] = redact([`<${value.slice(0, length)}`, 'unharmed'], [value]) ?? [];
        expect(redacted).to.equal('<***');
      }),
      { numRuns: 20 },
    );
  });

  it('does not answer guesses of how a value begins', () => {
    const value = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
    for (let length = 6; length < value.length; length += 1) {
      const guess = `unknown currency ${value.slice(0, length)}`;
      expect(redact([guess], [value])).to.deep.equal([guess]);
    }
  });

  it('stays as it is where there is no value, and beside a value', () => {
    const other = fc.string({ unit: fc.constantFrom(...'ghijklm, '), maxLength: 100 });
    fc.assert(
      fc.property(fc.array(other, { minLength: 1, maxLength: 5 }), digits, (texts, value) => {
        expect(redact(texts, [value])).to.deep.equal(texts);
        expect(redact([...texts, `g${value}g`], [value])).to.deep.equal([...texts, 'g***g']);
      }),
    );
  });

  it('keeps what is shorter than six characters, and has several values struck out at once', () => {
    expect(redact(['12345 and 123456'], ['12345'])).to.deep.equal(['12345 and 123456']);
    expect(redact(['a secret, another one'], ['secret', 'another'])).to.deep.equal(['a ***, *** one']);
    expect(redact(['abcdefghij'], ['abcdefg', 'efghij'])).to.deep.equal(['***']);
  });

  it('is soon there when many texts hold a value in many places', () => {
    const many = Array.from({ length: 4000 }, () => 'secret');
    const texts = [many.join(' '), ...Array.from({ length: 20_000 }, () => '')];
    const startedAt = process.cpuUsage();
    const [first, second] = redact(texts, ['secret']) ?? [];
    const { user } = process.cpuUsage(startedAt);
    expect(first).to.equal(many.map(() => '***').join(' '));
    expect(second).to.equal('');
    expect(user / 1000, 'milliseconds').to.be.lessThan(500);
  });

  it('is given up when there is too much of it, or of values, and soon when both repeat themselves', () => {
    expect(redact(['a'.repeat(65_537)], ['secret'])).to.equal(undefined);
    const many = Array.from({ length: 501 }, (_, at) => `secret ${at}`);
    expect(redact(['nothing'], many)).to.equal(undefined);
    const alike = Array.from({ length: 500 }, (_, at) => `${'a'.repeat(400)}${at}`);
    const startedAt = process.cpuUsage();
    expect(redact(['a'.repeat(60_000)], alike)).to.equal(undefined);
    const { user } = process.cpuUsage(startedAt);
    expect(user / 1000, 'milliseconds').to.be.lessThan(2000);
  });
});
