import { bodyGrammar } from '@glovebox/expressions/body-grammar';
import { expect } from 'chai';
import fc from 'fast-check';

import { argsText } from './args-text.ts';

const json = bodyGrammar('application/json');
const form = bodyGrammar('application/x-www-form-urlencoded');
const argsOf = (body: string | undefined, grammar = json): unknown =>
  JSON.parse(
    argsText({ path: '/x' }, body === undefined ? undefined : Buffer.from(body), grammar).toString(),
  );

describe('the args of a transform', () => {
  it('hold any JSON value as it is', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        expect(argsOf(body)).to.deep.equal({ body: JSON.parse(body), path: '/x' });
      }),
    );
  });

  it('hold all pairs of a form', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (pairs) => {
        const text = new URLSearchParams(pairs).toString();
        const { body } = argsOf(text, form) as { body: Record<string, string | string[]> };
        for (const [name, value] of new URLSearchParams(text)) {
          expect([Object.getOwnPropertyDescriptor(body, name)?.value as string].flat()).to.include(value);
        }
        expect(Object.values(body).flat()).to.have.length(pairs.length);
      }),
    );
  });

  it('have no body where there is none', () => {
    expect(argsOf(undefined)).to.deep.equal({ path: '/x' });
  });
});
