import { unknownProperties } from '@glovebox/openapi/known-names';
import { namesOfOperation } from '@glovebox/openapi/names-of-operation';
import { Warnings } from '@glovebox/platform/http/warnings';
import { expect } from 'chai';
import fc from 'fast-check';

import { warnOfUnknownProperties } from './unknown-names.ts';

const known = namesOfOperation('POST', '/tokens') ?? expect.fail();
const warningsOf = (body: string) => {
  const warnings = new Warnings(undefined);
  warnOfUnknownProperties({ known, warnings }, Buffer.from(body));
  return warnings.texts;
};

describe('unknown properties in the text of a body', () => {
  it('are those that are unknown in the value', () => {
    const names = fc.constantFrom(
      'type',
      'data',
      'encryption',
      'cek',
      'key',
      'privacy',
      'tpye',
      'a"b\\',
      '__proto__',
      'ü',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value')),
        fc.array(fc.tuple(names, tie('value'))).map((members) => Object.fromEntries(members)),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (body, space) => {
        const found = unknownProperties(known.body, body, 100).map(({ path }) => path);
        const warnings = warningsOf(JSON.stringify(body, undefined, space));
        expect(
          warnings.map((text) => text.replace(/^unknown property |, did you mean .*$/g, '')),
        ).to.deep.equal(found);
      }),
    );
  });

  it('are none where the body is not JSON, which its reader refuses', () => {
    for (const body of ['', '{', '{"tpye"', '[[', '{"tpye": 1', '{]', '\u0000', '"', '{"a":1}}'])
      warningsOf(body);
  });

  it('are found in a mebibyte of anything in little time, of bounded number', () => {
    const size = 1024 * 1024;
    const bodies = [
      `{"data":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
      `{"privacy":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
      `{${Array.from({ length: size / 12 }, (_, at) => `"${at}x":1`).join(',')}}`,
      `{"encryption":[${'{"a":1},'.repeat(size / 8)}1]}`,
    ];
    for (const body of bodies) {
      const started = process.cpuUsage();
      expect(warningsOf(body).length).to.be.at.most(100);
      // Of this process: how busy the machine is does not count.
      expect(process.cpuUsage(started).user).to.be.lessThan(500_000);
    }
  });
});
