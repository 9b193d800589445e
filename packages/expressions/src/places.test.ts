import { expect } from 'chai';

import { defaultLimits } from './limits.ts';
import { placesIn } from './places.ts';

const a = '7b1fd06a-2b9b-4a52-bf8c-0a6f6e9a1c54';
const found = (grammar: 'json' | 'form' | 'text', body: string) =>
  placesIn({ kind: grammar, utf8: true }, Buffer.from(body), '/body', defaultLimits);

describe('the places of expressions', () => {
  it('are pointers to the members of JSON, one for each occurrence', () => {
    const body = JSON.stringify({ 'x/y~': [`{{ ${a} }}`, { z: `{{${a}}} and {{ ${a} | last4 }}` }], n: 1 });
    expect(found('json', body)).to.deep.equal([
      { expression: a, place: '/body/x~1y~0/0' },
      { expression: a, place: '/body/x~1y~0/1/z' },
      { expression: `${a} | last4`, place: '/body/x~1y~0/1/z' },
    ]);
  });

  it('are the fields of a form, and the whole of other text', () => {
    expect(found('form', `pan=%7B%7B ${a} %7D%7D&b={{ ${a} }}`).at(-1)).to.deep.equal({
      expression: a,
      place: '/body/b',
    });
    expect(found('text', `<x>{{ ${a} }}</x>`)).to.deep.equal([{ expression: a, place: '/body' }]);
  });

  it('are none where there is no expression', () => {
    expect(found('json', '{"a":"{ {"}')).to.deep.equal([]);
  });
});
