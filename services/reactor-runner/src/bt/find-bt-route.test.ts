import { AppError } from '@glovebox/platform/errors/app-error';
import { expect } from 'chai';

import { findBtRoute } from './find-bt-route.ts';

describe('a route of bt', () => {
  const table: readonly [method: string, path: string, name: string, id: string][] = [
    ['POST', '/tokens/', 'POST /tokens', ''],
    ['POST', '/tokens', 'POST /tokens', ''],
    ['GET', '/tokens/a%20b%40c', 'GET /tokens/{id}', 'a b@c'],
    ['DELETE', '/tokens/x/', 'DELETE /tokens/{id}', 'x'],
    ['GET', '/tokens/', 'GET /tokens', ''],
    ['POST', '/tokens/search', 'POST /tokens/search', ''],
    ['GET', '/tokens/search', 'GET /tokens/{id}', 'search'],
    ['PATCH', '/tokens/a', 'PATCH /tokens/{id}', 'a'],
    ['POST', '/tokens/p/children', 'POST /tokens/{id}/children', 'p'],
    ['GET', '/tokens/p/children', 'GET /tokens/{id}/children', 'p'],
    ['POST', '/tokens/p/children/%7Bc', 'POST /tokens/{id}/children/{id}', 'p,{c'],
    ['DELETE', '/tokens/p/children/c', 'DELETE /tokens/{id}/children/{id}', 'p,c'],
    ['POST', '/tokenize/', 'POST /tokenize', ''],
    ['POST', '/detokenize', 'POST /detokenize', ''],
    ['POST', '/reactors/r/react', 'POST /reactors/{id}/react', 'r'],
  ];
  for (const [method, path, name, id] of table) {
    it(`is found for ${method} ${path}`, () => {
      const found = findBtRoute({ method, path });
      const ids = found.ids.filter((one) => one !== '').join();
      expect([found.route.name, ids]).to.deep.equal([name, id]);
    });
  }

  const absent: readonly [method: string, path: string][] = [
    ['POST', '/tokens/x'],
    ['PUT', '/tokens/x'],
    ['GET', '/tokens/x/y'],
    ['POST', '/applications/'],
    ['GET', '/proxy/'],
    ['post', '/tokens/'],
    ['POST', '//tokens'],
    ['POST', '/tokens\n'],
    ['GET', '/tokens/%E0%A4%A'],
  ];
  for (const [method, path] of absent) {
    it(`is nothing for ${method} ${JSON.stringify(path)}, and the error says what there is`, () => {
      const expected = path.includes('%E0') ? 'nothing with this id' : 'POST /tokens, GET /tokens, ';
      expect(() => findBtRoute({ method, path })).to.throw(AppError, expected);
    });
  }
});
