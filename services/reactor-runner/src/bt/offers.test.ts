import { AppError } from '@glovebox/platform/errors';
import { expect } from 'chai';

import { findOffer } from './offers.ts';

describe('what bt offers', () => {
  const table: readonly [method: string, path: string, name: string, id: string][] = [
    ['POST', '/tokens/', 'POST /tokens', ''],
    ['POST', '/tokens', 'POST /tokens', ''],
    ['GET', '/tokens/a%20b%40c', 'GET /tokens/{id}', 'a b@c'],
    ['DELETE', '/tokens/x/', 'DELETE /tokens/{id}', 'x'],
    ['POST', '/tokenize/', 'POST /tokenize', ''],
    ['POST', '/reactors/r/react', 'POST /reactors/{id}/react', 'r'],
  ];
  for (const [method, path, name, id] of table) {
    it(`is found for ${method} ${path}`, () => {
      const found = findOffer({ method, path });
      expect([found.offer.name, found.id]).to.deep.equal([name, id]);
    });
  }

  const absent: readonly [method: string, path: string][] = [
    ['GET', '/tokens/'],
    ['PATCH', '/tokens/x'],
    ['POST', '/tokens/search'],
    ['GET', '/tokens/x/children'],
    ['POST', '/tokens/x'],
    ['POST', '/applications/'],
    ['GET', '/proxy/'],
    ['post', '/tokens/'],
    ['POST', '//tokens'],
    ['POST', '/tokens\n'],
    ['GET', '/tokens/%E0%A4%A'],
  ];
  for (const [method, path] of absent) {
    it(`is nothing for ${method} ${JSON.stringify(path)}, and the error says what there is`, () => {
      const expected = path.includes('%E0') ? 'nothing with this id' : 'POST /tokens, GET /tokens/{id}';
      expect(() => findOffer({ method, path })).to.throw(AppError, expected);
    });
  }
});
