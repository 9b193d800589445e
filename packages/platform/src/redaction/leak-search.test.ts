import { expect } from 'chai';
import fc from 'fast-check';

import { LeakPatterns } from './leak-patterns.ts';
import { LeakSearch } from './leak-search.ts';
import { spellingsOf } from './spellings.ts';

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** The bytes of a text that belong to a value, as `*`: each spelling is looked for at each place. */
function maskedNaively(text: Buffer, values: readonly string[]): string {
  const bytes = latin1(text);
  const lower = bytes.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const masked = Buffer.from(text);
  const strike = (within: string, pattern: string) => {
    for (let at = within.indexOf(pattern); at >= 0; at = within.indexOf(pattern, at + 1))
      masked.fill('*', at, at + pattern.length);
  };
  for (const value of values) {
    const { plain, base64, digits } = spellingsOf(value);
    for (const pattern of plain) strike(lower, pattern);
    for (const pattern of base64) strike(bytes, pattern);
    if (digits === undefined) continue;
    const separated = new RegExp(`(?=(${digits.split('').join('[ .-]{0,3}')}))`, 'g');
    for (const { index, 1: found = '' } of bytes.matchAll(separated))
      masked.fill('*', index, index + found.length);
  }
  return latin1(masked);
}

/** The same by the search, cut anywhere, with what it lets pass at each cut. */
function masked(text: Buffer, values: readonly string[], cuts: readonly number[]) {
  const search = new LeakSearch(new LeakPatterns(values));
  const bytes = Buffer.from(text);
  const passed: string[] = [];
  let start = 0;
  let flushed = 0;
  for (const end of [...new Set([...cuts.map((cut) => cut % (text.length + 1)), text.length])].toSorted(
    (one, other) => one - other,
  )) {
    for (const { from, to } of search.push(text.subarray(start, end))) {
      expect(from, 'nothing that was let pass').to.be.at.least(flushed);
      bytes.fill('*', from, to);
    }
    const held = search.held();
    expect(held).to.be.at.most(end);
    passed.push(latin1(bytes.subarray(flushed, end - held)));
    flushed = end - held;
    start = end;
  }
  return passed.join('') + latin1(bytes.subarray(flushed));
}

const character = fc.oneof(
  fc.constantFrom(...'"\\/%+ -_.&=<\n{}é€😀A'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
);
const joined = (unit: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.array(unit, { minLength, maxLength }).map((units) => units.join(''));
const number = joined(fc.constantFrom(...'0123456789'), 6, 19);
/** Of few letters, so that values overlap one another and what is beside them. */
const repetitive = joined(fc.constantFrom('a', 'A', 'b', '1', '1', '2', '-'), 6, 12);
const value = fc.oneof(
  joined(character, 6, 40).filter(({ length }) => length >= 6),
  number,
  repetitive,
  joined(fc.constantFrom('4', '2'), 6, 16),
);

/** Writes a value in one of the ways that the guard knows; `offset` stands before it where bytes are encoded. */
const written = fc
  .tuple(
    value,
    fc.constantFrom('', 'a', 'ab'),
    fc.nat(),
    joined(fc.constantFrom('', ' ', '-', '.', ' - '), 19, 19),
  )
  .chain(([one, offset, which, separators]) => {
    const bytes = Buffer.from(offset + one);
    const spellings: readonly string[] = [
      Buffer.from(one).toString('latin1'),
      Buffer.from(JSON.stringify(one)).toString('latin1'),
      JSON.stringify(one).replaceAll(
        /[\x7f-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
      encodeURIComponent(one.toWellFormed()),
      new URLSearchParams([['k', one.toWellFormed()]]).toString(),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      /^\d+$/.test(one)
        ? one.replaceAll(
            /\d/g,
            (digit, at: number) => digit + (separators[at] === ' ' ? ' ' : at % 4 === 3 ? '-' : ''),
          )
        : Buffer.from(one.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())).toString('latin1'),
    ];
    const spelling = spellings[which % spellings.length]!;
    return fc.constant({ value: one, spelling });
  });

const noise = fc.oneof(
  joined(fc.constantFrom(...'ab12-. A/+=%"4242'), 0, 30),
  fc.string({ unit: 'binary-ascii', maxLength: 20 }),
);

describe('a search for values in a stream', () => {
  it('finds each spelling at any place and however it is cut, no byte more, and lets pass what belongs to none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(noise, written), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (parts, cuts) => {
          const text = Buffer.from(
            parts.map(([before, { spelling }]) => before + spelling).join(''),
            'latin1',
          );
          const values = [...new Set(parts.map(([, { value: one }]) => one))];
          expect(masked(text, values, cuts)).to.equal(maskedNaively(text, values));
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 400) },
    );
  });

  it('finds the spellings that it promises', () => {
    fc.assert(
      fc.property(written, ({ value: one, spelling }) => {
        const found = new LeakSearch(new LeakPatterns([one])).push(Buffer.from(`<${spelling}>`, 'latin1'));
        expect(found, spelling).not.to.have.length(0);
      }),
      { numRuns: 500 },
    );
  });

  it('holds back nothing that cannot be the beginning of a value', () => {
    const search = new LeakSearch(new LeakPatterns(['4242424242424242', 'a text']));
    const held = (text: string) => {
      search.push(Buffer.from(text));
      return search.held();
    };
    expect(held('{"id":"x","card":"4111')).to.equal(0);
    expect(held('data: 4242 4242')).to.equal(9);
    expect(held(' 4242.')).to.equal(15);
    expect(held('x')).to.equal(0);
    expect(held('data: 42\n\n')).to.equal(0);
    expect(held('an A TEX')).to.equal(5);
    expect(held('')).to.equal(5);
    expect(held('!')).to.equal(0);
  });

  it('passes over what the caller has sent, and finds what only contains it', () => {
    const sent = [Buffer.from('/pay?card=4242-4242-4242-4242'), Buffer.from('{"a":"b"}')];
    const values = ['4242424242424242', 'secret 4242424242424242', 'other secret'];
    const search = new LeakSearch(new LeakPatterns(values, () => sent));
    expect(search.push(Buffer.from('4242424242424242, secret 4242424242424242; other secret'))).to.deep.equal(
      [
        { from: 18, to: 41 },
        { from: 43, to: 55 },
      ],
    );
  });

  it('looks for the values that fit, and says how many these are', () => {
    const large = 'a'.repeat(60_000);
    expect(new LeakPatterns(['secret', large, 'another']).searched).to.equal(1);
    expect(
      new LeakPatterns(Array.from({ length: 1000 }, (_, at) => `42424242${10_000_000 + at}`)).searched,
    ).to.equal(1000);
    expect(new LeakPatterns(['secret'.repeat(1_000_000)]).searched).to.equal(0);
  });

  it('takes time by the length of the stream only, whatever values and stream are', () => {
    const mebibyte = 1024 * 1024;
    const alike = Array.from({ length: 100 }, (_, at) => `${'a'.repeat(300)}${at}`);
    const cards = Array.from({ length: 100 }, (_, at) => `424242424242${1000 + at}`);
    const streams: readonly (readonly [what: string, values: readonly string[], chunk: string])[] = [
      ['of one letter', alike, 'a'],
      ['of one digit', cards, '4'],
      ['of beginnings', cards, '424242424242'],
      ['of separators', cards, '4 - 2 - '],
      ['of spaces', cards, ' '],
      ['of whole values', ['aaaaaa', ...alike], 'a'],
      ['of base64', cards, Buffer.from('42424242424242').toString('base64')],
    ];
    for (const [what, values, unit] of streams) {
      const chunk = Buffer.alloc(64 * 1024, unit);
      const search = new LeakSearch(new LeakPatterns(values));
      const before = process.cpuUsage();
      for (let size = 0; size < mebibyte; size += chunk.length) {
        search.push(chunk);
        search.held();
      }
      const { user } = process.cpuUsage(before);
      expect(user / 1000, `milliseconds of a stream ${what}`).to.be.lessThan(600);
    }
  });
});
