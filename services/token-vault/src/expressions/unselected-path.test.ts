import { expect } from 'chai';

import type { JsonValue } from '../values/json-value.ts';
import { Subject, evaluateExpression } from './evaluate.ts';
import { parseExpression } from './parse.ts';

const id = '7b1fd06a-2b9b-4a52-bf8c-0a6f6e9a1c54';
const card = { number: '4242424242424242', expiration: { month: 12 }, note: null, list: ['a'] };

/** The paths that are reported, and the value. */
function resultOf(filters: string, data: JsonValue = card, head = id): readonly [string, ...string[]] {
  const paths: string[] = [];
  const expression = parseExpression(`${head} | ${filters}`, ['proxy']);
  const variables = { proxy: { path: '$.nothing' } };
  const value = evaluateExpression(expression, Subject.of(data), undefined, variables, (path) =>
    paths.push(path),
  );
  return [value, ...paths];
}

describe('a path of json that selects nothing', () => {
  it('is reported: a name, a nested one, an index', () => {
    for (const path of ['$.nmuber', '$.expiration.yaer', '$.list[1]', '$.number.first']) {
      expect(resultOf(`json: '${path}'`), path).to.deep.equal(['null', path]);
    }
    expect(resultOf("json: '$.nmuber' | last4")).to.deep.equal(['null', '$.nmuber']);
    expect(resultOf("json: '$.data.nmuber'", { data: card }, `token: ${id}`)).to.deep.equal([
      'null',
      '$.data.nmuber',
    ]);
  });

  it('is none where it selects something, be it null', () => {
    expect(resultOf("json: '$.note'")).to.deep.equal(['null']);
    expect(resultOf("json: '$.list[0]'")).to.deep.equal(['"a"']);
    expect(resultOf("json: '$.nothing'", null)).to.deep.equal(['null']);
  });

  it('is meant where a default stands in for it', () => {
    expect(resultOf("json: '$.nickname' | default: 'none'")).to.deep.equal(['"none"']);
    expect(resultOf("json: '$.nickname' | default: nil")).to.deep.equal(['null']);
  });

  it('is not reported where it would reveal more than the structure of the data', () => {
    const comparing = ['$[?@.number > "41"]', '$.list[?@ == "b"]'];
    for (const path of comparing) expect(resultOf(`json: '${path}'`), path).to.deep.equal(['null']);
    expect(resultOf("split: '4242' | json: '$[9]'", '4242424242424242')).to.deep.equal(['null']);
    expect(resultOf('json: proxy.path')).to.deep.equal(['null']);
    expect(resultOf("json: '$.secret'", { a: 1 }, 'config: SETTINGS')).to.deep.equal(['null']);
  });
});
