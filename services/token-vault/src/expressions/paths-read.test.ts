import { expect } from 'chai';

import { pathsRead } from './paths-read.ts';

describe('the paths that an expression reads', () => {
  const cases: Record<string, readonly (readonly (string | number)[])[]> = {
    'no expression': [],
    '{{ "data.a" | upcase }}': [],
    '{{ metadata.a }}': [],
    '{{ data }}': [[]],
    '{{ data.a.b }}': [['a', 'b']],
    "{{ data['a b'][0].c }}": [['a b', 0, 'c']],
    '{{ data.a }}-{{ data.b }}': [['a'], ['b']],
    "{{ data | json: '$.a' }}": [[]],
    '{{ data.a | append: data.b | slice: data.c, 1 }}': [['a'], ['b'], ['c']],
    '{{ data.a[data.b.c].d }}': [['a'], ['b', 'c']],
    '{{ metadata[data.a] }}': [['a']],
    "{{ data.a | reveal_last: 4, '#' }}": [['a']],
  };
  for (const [text, paths] of Object.entries(cases)) {
    it(`of ${text}`, () => {
      expect(pathsRead(text)).to.deep.equal(paths);
    });
  }
});
