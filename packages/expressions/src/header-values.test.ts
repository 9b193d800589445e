import { expect } from 'chai';

import { ExpressionError } from './expression-error.ts';
import { findInHeaders } from './header-values.ts';
import { defaultLimits } from './limits.ts';

describe('findInHeaders', () => {
  it('finds what is over configuration and the request, and puts the values in as text', () => {
    const headers = [
      'A',
      'k={{config: KEY | upcase}};',
      'B',
      'plain',
      'C',
      '{{ proxy.request.body }}{{config: KEY | upcase}}',
    ];
    const found = findInHeaders(headers);
    expect(found?.expressions).to.deep.equal(['config: KEY | upcase', 'proxy.request.body']);
    expect(found?.fill(['"v"', '{"a": 1}'])).to.deep.equal(['A', 'k=v;', 'B', 'plain', 'C', '{"a":1}v']);
  });

  it('finds a variable with white space before its filters or its end, as the vault does', () => {
    const found = findInHeaders(['A', '{{proxy}}{{ proxy\t| size }}{{proxy|size}}{{ proxy["x"] }}']);
    expect(found?.expressions).to.deep.equal(['proxy', 'proxy\t| size', 'proxy|size', 'proxy["x"]']);
  });

  it('takes everything else for plain text', () => {
    for (const text of [
      '{{ some-token-id }}',
      '{{ proxy-1 }}',
      '{{ proxy .x }}',
      '{{ proxy [0] }}',
      '{{ proxy\u00a0.x | upcase }}',
      '{{',
      '{{ unclosed',
      '{{ token: x }}',
      '{{{',
      'x }}',
    ]) {
      expect(findInHeaders(['A', text]), text).to.equal(undefined);
    }
    const mixed = findInHeaders(['A', '{{ id-1 }}{{{{ config: K }}{{ id-2 }}']);
    expect(mixed?.fill(['"v"'])).to.deep.equal(['A', '{{ id-1 }}{{v{{ id-2 }}']);
  });

  it('names the header whose expression cannot be read', () => {
    for (const text of ['{{ config: K', "{{ config: K | append: '}}", '{{ proxy.x { }}']) {
      try {
        findInHeaders(['A', 'a', 'B', text]);
        expect.fail('accepted');
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        expect(error.position).to.equal(2);
      }
    }
  });

  it('goes by the limits that it is given', () => {
    const limits = { ...defaultLimits, maxExpressionLength: 20, maxExpressions: 2, maxFilledBytes: 10 };
    const find = (text: string) => findInHeaders(['A', text], limits);
    expect(() => find(`{{ config: ${'K'.repeat(20)} }}`)).to.throw(
      ExpressionError,
      'longer than 20 characters',
    );
    expect(() => find('{{config: K}}{{config: K}}{{config: K}}')).to.throw(
      ExpressionError,
      'more than 2 expressions',
    );
    const found = find('{{config: K}}');
    expect(found?.fill(['"1234567890"'])).to.deep.equal(['A', '1234567890']);
    expect(() => found?.fill(['"12345678901"'])).to.throw(ExpressionError);
  });
});
