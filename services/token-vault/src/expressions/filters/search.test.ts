import { expect } from 'chai';
import fc from 'fast-check';
import { Context, filters as libraryFilters, Liquid, toValueSync } from 'liquidjs';

import type { JsonValue } from '../../values/json-value.ts';
import { WorkBudget } from '../expression-limits.ts';
import { findAll, findLast } from './find-text.ts';
import { filters } from './registry.ts';

const names = ['remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last', 'split'];
const engine = new Liquid();

/** Few letters, so that what is looked for begins in itself and in what it is looked for in. */
const repetitive = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'a', 'b', 'é'), maxLength });

describe('filters that search', () => {
  for (const name of names) {
    it(`give what Liquid gives: ${name}`, () => {
      fc.assert(
        fc.property(repetitive(60), repetitive(14), repetitive(3), (text, wanted, by) => {
          const args = filters.get(name)?.maxArgs === 1 ? [wanted] : [wanted, by];
          expect(ours(name, text, args)).to.deep.equal(librarys(name, text, args));
        }),
        { numRuns: 1000 },
      );
    });
  }

  it('take arguments of any type as Liquid takes them', () => {
    const values: JsonValue[] = [null, 1, true, ['1', ['n', null, 2]], { a: 1 }];
    for (const name of names) {
      for (const wanted of values) {
        for (const text of ['1n2 true', '[object Object]'])
          expect(ours(name, text, [wanted]), name).to.deep.equal(librarys(name, text, [wanted]));
      }
    }
  });

  it('put no pattern of a replacement to use', () => {
    expect(ours('replace', 'abc', ['b', "$&$'"])).to.equal("a$&$'c");
    expect(ours('replace_first', 'abc', ['b', '$&'])).to.equal('a$&c');
  });

  it('look for no more than 4096 characters, wherever they come from', () => {
    const long = 'a'.repeat(4096);
    for (const name of names) {
      expect(() => ours(name, 'a', [long])).not.to.throw();
      expect(() => ours(name, 'a', [`${long}a`])).to.throw(
        `Filter ${name}: the text to search for is longer than 4096 characters.`,
      );
    }
  });

  it('look for what comes close everywhere as quickly as for what does not', () => {
    const text = 'a'.repeat(400_000);
    const [close, far] = [`b${'a'.repeat(4000)}`, 'b'.repeat(4001)];
    for (const find of [
      (wanted: string) => findAll(text, wanted),
      (wanted: string) => findLast(text, wanted),
    ]) {
      for (const hostile of [close, `${'a'.repeat(4000)}b`, `${'a'.repeat(2000)}b${'a'.repeat(2000)}`]) {
        // A search that begins anew at each character takes a thousand times as long.
        expect(quickest(() => find(hostile))).to.be.lessThan(20 * quickest(() => find(far)));
      }
    }
  });
});

function ours(name: string, text: string, args: JsonValue[]): unknown {
  return filters.get(name)?.apply(text, args, new WorkBudget());
}

function librarys(name: string, text: string, args: JsonValue[]): unknown {
  const handler = libraryFilters[name] as (this: object, ...args: unknown[]) => unknown;
  const context = new Context({}, engine.options, { sync: true });
  return toValueSync(handler.apply({ context, liquid: engine }, [text, ...args]));
}

/** Milliseconds of the quickest of five attempts: what else the machine does only adds to them. */
function quickest(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}
