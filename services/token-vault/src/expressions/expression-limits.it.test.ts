import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { Subject, evaluateExpression } from './evaluate.ts';
import { WorkBudget, requestAllowance } from './expression-limits.ts';
import { filters } from './filters/registry.ts';
import { costOfText, costOfValue } from './json-cost.ts';
import { parseExpression } from './parse.ts';

const size = 64 * 1024;
const repeat = (text: string): string => text.repeat(Math.floor(size / text.length));
const list = <T>(length: number, of: (at: number) => T): T[] => Array.from({ length }, (_, at) => of(at));
const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as JsonValue;

/** What some filter takes long for: all that it replaces, counts, folds, encodes, or escapes. */
const texts = [
  'a',
  ' ',
  ' a',
  '\n',
  '<',
  '<a>',
  '<script',
  '&',
  "'",
  '&lt;a',
  '%41',
  '+',
  'İ',
  'ﬀ',
  '日',
  '😀',
  '-',
  'a=',
];

const lists: Readonly<Record<string, JsonValue[]>> = {
  numbers: list(20_000, (at) => (at * 7919) % 100_003),
  fractions: list(5000, (at) => at / 7),
  texts: list(10_000, (at) => String((at * 7919) % 100_003)),
  'texts alike': list(100, (at) => `${'a'.repeat(1000)}${at}`),
  objects: list(10_000, (at) => ({ a: at })),
  'empty lists': list(20_000, () => []),
  'nested lists': list(500, () => nested(90)),
};

/** The arguments with which a filter that needs some does most. */
const args: Readonly<Record<string, readonly string[]>> = {
  append: ["'x'"],
  prepend: ["'x'"],
  remove: ["'a'", `'${'a'.repeat(400)}b'`],
  remove_first: [`'${'a'.repeat(400)}b'`],
  remove_last: [`'b${'a'.repeat(400)}'`],
  replace: ["'a', 'b'", "'', ''", `'${'a'.repeat(400)}b', ''`],
  replace_first: [`'${'a'.repeat(400)}b', ''`],
  replace_last: [`'b${'a'.repeat(400)}', ''`],
  split: ["''", "' '", "'a'"],
  truncate: ['10', '60000'],
  truncatewords: ['5', '60000'],
  reveal: ['1', "1, 1, 'X', 'a'"],
  reveal_last: ['4'],
  hmac: ["'sha-512', 'k' | to_base16"],
  pad_left: ["60000, 'x'"],
  pad_right: ["60000, 'x'"],
  slice: ['1, 60000'],
  sort: ['', "'a'"],
  sort_natural: ['', "'a'"],
  sum: ['', "'a'"],
  map: ["'a'"],
  where: ["'a', -1"],
  reject: ["'a', -1"],
  find: ["'a', -1"],
  find_index: ["'a', -1"],
  has: ["'a', -1"],
  concat: ['nil'],
  join: ["''", "'x'"],
  json: [
    "'$..nothing'",
    "'$..*..nothing'",
    "'$[?@.a > 1e9]'",
    "'$[?@.a == $.a]'",
    "'$..[?@.a > 1e9]'",
    "'$[?count(@..*) > 1e9]'",
    "'$[?length(@) > 1e9]'",
    "'$[::-1][?@ > 1e9]'",
  ],
  default: ["'x'"],
  card_exp: ["'MM'"],
  divided_by: ['2'],
  minus: ['2'],
  modulo: ['2'],
  plus: ['2'],
  times: ['2'],
  at_least: ['2'],
  at_most: ['2'],
};

/** Nanoseconds of a loop of the simplest kind for one character, in this run and on this machine. */
function reference(): number {
  const text = repeat('reference');
  let sum = 0;
  const nanoseconds = quickest(() => {
    for (let round = 0; round < 10; round += 1) {
      for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
    }
  });
  expect(sum).to.be.greaterThan(0);
  return nanoseconds / (10 * text.length);
}

/** A unit may take as long as so many characters of the reference: a filter that is not paid for takes hundreds. */
const mostPerUnit = 12;

describe('the work of an expression', () => {
  it('is paid for by every filter in proportion to what it takes', function () {
    this.timeout(120_000);
    const slow: string[] = [];
    const perCharacter = reference();
    for (const name of filters.keys()) {
      for (const given of args[name] ?? ['']) {
        const chain = name === 'hmac' || given !== '' ? `${name}: ${given}` : name;
        for (const [what, value] of inputs()) check(slow, `${chain} of ${what}`, chain, value, perCharacter);
      }
    }
    expect(slow).to.deep.equal([]);
  });

  it('is paid for before a value is parsed or written, in proportion to what that takes', () => {
    const names = Object.fromEntries(list(5000, (at) => [`n${at}`, at]));
    const values = { ...lists, names, objects: list(5000, (at) => ({ [`n${at}`]: at })), text: repeat('a') };
    const slow: string[] = [];
    const perUnit = mostPerUnit * reference();
    for (const [what, value] of Object.entries(values)) {
      const json = JSON.stringify(value);
      const parsing = quickest(() => JSON.parse(json)) / costOfText(json, Number.POSITIVE_INFINITY);
      const writing = quickest(() => JSON.stringify(value)) / costOfValue(value, Number.POSITIVE_INFINITY);
      if (Math.max(parsing, writing) > perUnit) slow.push(`${what}: ${parsing}, ${writing}`);
    }
    expect(slow).to.deep.equal([]);
  });

  it('that is paid for grows with what is given, not with its square', () => {
    for (const name of filters.keys()) {
      if (name === 'json') continue;
      for (const given of args[name] ?? ['']) {
        const chain = name === 'hmac' || given !== '' ? `${name}: ${given}` : name;
        const [once, twice] = [spentOn(chain, repeat('ab')), spentOn(chain, repeat('ab').repeat(2))];
        expect(twice, chain).to.be.at.most(2.2 * once + 100_000);
      }
    }
  });

  it('is over when the allowance has not been enough once', () => {
    const work = new WorkBudget(100);
    expect(() => work.spendOn('a'.repeat(1000))).to.throw('The expression takes too much work.');
    expect(work.left).to.equal(0);
  });

  it('of a mask is a few units a character, be there hyphens or not', () => {
    const text = '123-45-6789-'.repeat(1000);
    for (const chain of ['reveal_last: 4', "reveal: 2, 4, 'X', '-'"]) {
      expect(spentOn(chain, text), chain).to.be.below(20 * text.length);
    }
  });

  it('is shared fairly: what one of several does not use is left to the others', () => {
    const work = new WorkBudget(300);
    expect(() => work.share(3, (part) => part.spend(101))).to.throw('too much work');
    work.share(2, (part) => part.spend(20));
    work.share(1, (part) => part.spend(180));
    expect(work.left).to.equal(0);
    expect(() => work.share(2, (part) => part.spend(1))).to.throw('too much work');
  });
});

function inputs(): (readonly [what: string, value: JsonValue])[] {
  return [...texts.map((text) => [JSON.stringify(text), repeat(text)] as const), ...Object.entries(lists)];
}

function check(slow: string[], what: string, chain: string, value: JsonValue, perCharacter: number): void {
  const expression = parseExpression(`id-1 | ${chain}`);
  let spent = 0;
  const measure = () => {
    const nanoseconds = quickest(() => {
      const work = new WorkBudget();
      attempt(() => evaluateExpression(expression, Subject.of(value), work));
      spent = requestAllowance - work.left;
    });
    // Less than 200 us cannot be measured apart from its surroundings.
    return nanoseconds < 200_000 ? 0 : nanoseconds / spent / perCharacter;
  };
  let perUnit = measure();
  // The machine may have been busy with something else: what is slow stays slow.
  for (let again = 0; again < 4 && perUnit > mostPerUnit; again += 1) perUnit = Math.min(perUnit, measure());
  if (perUnit > mostPerUnit) slow.push(`${what}: ${perUnit.toFixed(0)}`);
}

function spentOn(chain: string, value: string): number {
  const work = new WorkBudget();
  attempt(() => evaluateExpression(parseExpression(`id-1 | ${chain}`), Subject.of(value), work));
  return requestAllowance - work.left;
}

/** That it is refused is an answer, too. */
function attempt(evaluate: () => unknown): void {
  try {
    evaluate();
  } catch (error) {
    expect(error).to.have.property('code', 'invalid_argument');
  }
}

/** Nanoseconds of the quickest of five attempts: what else the machine does only adds to them. */
function quickest(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best * 1_000_000;
}
