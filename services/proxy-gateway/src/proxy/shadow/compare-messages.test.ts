import { shownNames } from '@glovebox/published/shown-names';
import { expect } from 'chai';
import fc from 'fast-check';

import { compareMessages } from './compare-messages.ts';

const shown = shownNames(
  { code: '({ args }) => ({ headers: { "X-Total": 1 }, body: { total: args.body.sum, items: [] } })' },
  { code: '({ args }) => ({ body: { currency: "EUR" } })' },
  ({ code }) => [code],
);
const json = ['Content-Type', 'application/json'];
const messageOf = (body: unknown, headers: readonly string[] = json) => ({
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const compared = (a: unknown, b: unknown) =>
  compareMessages('request', messageOf(a), messageOf(b), shown).map(({ path, kind }) => `${kind} ${path}`);

/** contract/rollouts.md#shadow */
describe('the differences between what two versions make', () => {
  it('are places and kinds', () => {
    expect(compared({ total: 1, items: [{ sum: 1 }] }, { total: 2, items: [{ sum: '1' }, 2] })).to.deep.equal(
      ['value /request/body/total', 'type /request/body/items/*/sum', 'added /request/body/items/*'],
    );
    expect(compared({ total: 1 }, { currency: 'EUR' })).to.deep.equal([
      'removed /request/body/total',
      'added /request/body/currency',
    ]);
    expect(compared({ total: null }, { total: {} })).to.deep.equal(['type /request/body/total']);
  });

  it('are none of spelling, and one of digits that a number would lose', () => {
    expect(compared('{"total":1,"items":[]}', '{ "items": [], "total": 1.0 }')).to.deep.equal([]);
    expect(compared('{"total":12345678901234567890}', '{"total":12345678901234567891}')).to.deep.equal([
      'value /request/body/total',
    ]);
  });

  it('are found in headers, whatever their spelling, and not in how a body is framed', () => {
    const [a, b] = [
      ['x-total', '1', 'Content-Length', '5', 'X-Card', '4111111111111111'],
      ['X-TOTAL', '2', 'Content-Length', '6'],
    ].map((headers) => messageOf('x', headers));
    expect(compareMessages('response', a!, b!, shown)).to.deep.equal([
      { path: '/response/headers/x-total', kind: 'value' },
      { path: '/response/headers/*', kind: 'removed' },
    ]);
  });

  it('are one for bodies that are not parsed: no JSON, or too long', () => {
    for (const [a, b] of [
      ['{"total":', '{"total":1}'],
      [`{"total":"${'x'.repeat(70_000)}"}`, '{"total":1}'],
    ] as const)
      expect(compared(a, b)).to.deep.equal(['value /request/body']);
    expect(compared('', '{}')).to.deep.equal(['added /request/body']);
  });

  it('never hold what is in the messages, but for the words of the code', () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 12 },
        fc.string(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.oneof(fc.string(), fc.constantFrom('total', '__proto__', 'john.smith')),
          tie('value'),
        ),
      ),
    }));
    const step = /^(?:\*|total|toString|args|body|headers|items|sum|currency|x-total)$/;
    fc.assert(
      fc.property(value, value, fc.dictionary(fc.string(), fc.string()), (a, b, headers) => {
        const found = compareMessages(
          'request',
          messageOf(a),
          messageOf(b, [...json, ...Object.entries(headers).flat()]),
          shown,
        );
        expect(found.length).to.be.at.most(20);
        for (const { path } of found) {
          const [, side, part, ...steps] = path.split('/');
          expect(`${side}/${part}`).to.match(/^request\/(?:body|headers)$/);
          expect(steps.length).to.be.at.most(8);
          for (const one of steps) expect(one).to.match(step);
        }
      }),
    );
  });
});
