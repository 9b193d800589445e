import { expect } from 'chai';

import { parseExactly } from './destination-json.ts';
import { setAtPlace } from './set-at-place.ts';

describe('setAtPlace', () => {
  const set = (json: string, path: string) => {
    const root = parseExactly(json);
    return setAtPlace(root, path, 'v') ? JSON.stringify(root) : undefined;
  };

  it('sets what a path names, makes what leads there, and keeps every digit of the rest', () => {
    expect(set('{"n":1.00,"big":12345678901234567890}', '$.a')).to.equal(
      '{"n":1.00,"big":12345678901234567890,"a":"v"}',
    );
    expect(set('{"a":{"b":1}}', '$.a.b')).to.equal('{"a":{"b":"v"}}');
    expect(set('{}', "$.a['b c'].d-e")).to.equal('{"a":{"b c":{"d-e":"v"}}}');
    expect(set('[{"a":1},{}]', '$[1].a')).to.equal('[{"a":1},{"a":"v"}]');
    expect(set('[1]', '$[1]')).to.equal('[1,"v"]');
  });

  it('sets nothing where something else is in the way', () => {
    const cases = [
      ['{"a":1}', '$.a.b'],
      ['{"a":"x"}', '$.a.b'],
      ['{"a":null}', '$.a.b'],
      ['{"a":[]}', '$.a.b'],
      ['{"a":[]}', '$.a[1]'],
      ['{}', '$[0]'],
      ['1', '$.a'],
      ['null', '$.a'],
    ] as const;
    for (const [json, path] of cases) expect(set(json, path), `${json} ${path}`).to.equal(undefined);
  });
});
