import { expect } from 'chai';
import fc from 'fast-check';

import { JsonWalk, kindOf } from './json-walk.ts';

/** The items of an array's text. */
function itemsOf(text: string): string[] {
  const items: string[] = [];
  const walk = new JsonWalk(text);
  walk.items(() => items.push(walk.value()));
  return items;
}

/** The members of an object's text, by name; the last of a name counts. */
function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  const walk = new JsonWalk(text);
  walk.members((name) => members.set(name, walk.value()));
  return members;
}

describe('a walk through JSON', () => {
  it('gives values as they are written', () => {
    for (const value of [
      '12345678901234567890.50',
      '1e400',
      '"\\u0061\\"}]"',
      '[ 1 , {"a":"]"} ]',
      'true',
      'null',
      '{}',
    ]) {
      expect(new JsonWalk(value).value()).to.equal(value);
      expect(new JsonWalk(` \n\t\r${value} \n`).value()).to.equal(value);
      expect([...membersOf(`{ "a" : ${value} , "b":${value}}`)]).to.deep.equal([
        ['a', value],
        ['b', value],
      ]);
      expect(itemsOf(`[ ${value} ,${value}]`)).to.deep.equal([value, value]);
    }
  });

  it('tells what kind of value is there', () => {
    const kinds = {
      '{}': 'object',
      '[]': 'array',
      '""': 'string',
      true: 'boolean',
      false: 'boolean',
      null: 'null',
    };
    for (const [json, kind] of Object.entries(kinds)) expect(kindOf(json)).to.equal(kind);
    for (const json of ['0', '-1', '1e5']) expect(kindOf(json)).to.equal('number');
  });

  it('is not misled by quotes, brackets and backslashes in strings', () => {
    const tricky = {
      '\\': '\\"',
      '"}': '{[',
      'a\\"': ['\\\\"', '}'],
      ['__proto__']: { '\\\\': ']' },
    };
    const members = membersOf(JSON.stringify(tricky));
    expect([...members.keys()]).to.deep.equal(Object.keys(tricky));
  });

  it('finds in any object what JSON.parse finds, however it is written', () => {
    const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 1, '\t', ' \n'), (object, space) => {
        const text = JSON.stringify(object, undefined, space);
        const members = membersOf(text);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        expect([...members.keys()].toSorted()).to.deep.equal(Object.keys(parsed).toSorted());
        for (const [name, value] of members) {
          expect(JSON.stringify(JSON.parse(value))).to.equal(JSON.stringify(parsed[name]));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('comes to an end in any text', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', ' ', 'a', '1', '{"a":');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        for (const read of [() => membersOf(`{${parts.join('')}`), () => itemsOf(`[${parts.join('')}`)]) {
          try {
            read();
          } catch (error) {
            expect(error).to.be.instanceOf(Error);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('reads a mebibyte of anything in little time, however deep', () => {
    const size = 1024 * 1024;
    const bodies = [
      `{"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
      `{"a":"${'\\\\'.repeat(size / 2)}"}`,
      `{"a":"${'\\"'.repeat(size / 2)}"}`,
      `{${Array.from({ length: size / 8 }, () => '"a":1').join(',')}}`,
      `{"a":${' '.repeat(size)}1}`,
    ];
    for (const body of bodies) {
      const started = performance.now();
      membersOf(body);
      expect(performance.now() - started).to.be.lessThan(1000);
    }
  });
});
