import { expect } from 'chai';

import { decodeAnswer, encodeAnswer } from './stored-answer.ts';

describe('a stored answer', () => {
  it('comes back as it was: status, headers with their duplicates and spelling, every byte of the body', () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const headers = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=\xe4', 'content-encoding', 'gzip'];
    expect(decodeAnswer(encodeAnswer({ status: 207, headers, body }))).to.deep.equal({
      status: 207,
      headers,
      body,
    });
  });

  it('leaves out what belongs to one exchange only', () => {
    const headers = [
      'SVC-TRACE-ID',
      'a',
      'BT-Trace-Id',
      'a',
      'Transfer-Encoding',
      'chunked',
      'Content-Length',
      '0',
      'Server-Timing',
      'own;dur=1',
      'Access-Control-Allow-Origin',
      'https://shop.example.org',
      'Access-Control-Expose-Headers',
      '*',
    ];
    const answer = { status: 204, headers, body: Buffer.alloc(0) };
    expect(decodeAnswer(encodeAnswer(answer)).headers).to.deep.equal([]);
  });
});
