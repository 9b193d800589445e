import { expect } from 'chai';

import { isEvaluable } from './is-evaluable.ts';

describe('isEvaluable', () => {
  const made = "transform_identifier: 'a' | json: '$.id'";
  const ofRequest = ['config: K', 'proxy', 'proxy.request.body', 'proxy["request"]', 'proxy | size'];
  const ofClient = ['encrypted', 'encrypted.data.number', "encrypted | json: '$.data'", 'encrypted["data"]'];
  const ofResponse = ['res', 'res | upcase', 'res|upcase', 'res.a', 'res["a"]'];

  it('allows configuration, the request and what was made in a transform of the request', () => {
    for (const text of [...ofRequest, ...ofClient, made])
      expect(isEvaluable(text, 'request'), text).to.equal(true);
  });

  it('allows the response and what was made in one of the response, and nothing that its caller may not read', () => {
    for (const text of [...ofResponse, made]) {
      expect(isEvaluable(text, 'response'), text).to.equal(true);
      expect(isEvaluable(text, 'append'), text).to.equal(true);
    }
    for (const text of ofRequest) {
      expect(isEvaluable(text, 'response'), text).to.equal(false);
      expect(isEvaluable(text, 'append'), text).to.equal(false);
    }
  });

  it('makes tokens of what a client has encrypted, and appends nothing of it', () => {
    for (const text of ofClient) {
      expect(isEvaluable(text, 'response'), text).to.equal(true);
      expect(isEvaluable(text, 'append'), text).to.equal(false);
    }
  });

  it('takes what only looks like a variable for the id of a token, as the vault does', () => {
    const ids = [
      'encrypted .x',
      'encrypted-1',
      'proxy .x',
      'res .x',
      'res\t.x',
      'proxy [0]',
      'res\u00a0[0]',
      'proxy-1',
      'res x',
      'id-1',
    ];
    for (const text of [...ids, 'token: id-1']) {
      for (const side of ['request', 'response', 'append'] as const) {
        expect(isEvaluable(text, side), text).to.equal(false);
      }
    }
  });
});
