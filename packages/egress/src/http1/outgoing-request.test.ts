import { expect } from 'chai';
import type { Dispatcher } from 'undici';

import { outgoingRequest } from './outgoing-request.ts';

const request = (options: Partial<Dispatcher.DispatchOptions>) =>
  outgoingRequest('a.example:8443', { path: '/', method: 'GET', ...options });

describe('the head of a request', () => {
  it('has its own lines first, and then the headers as they are spelled', () => {
    const { head, closes } = request({ path: '/a?b', headers: ['X-One', '1', 'x-ONE', '\u00e9', 'Y', ''] });
    expect(head).to.equal(
      'GET /a?b HTTP/1.1\r\nhost: a.example:8443\r\nconnection: keep-alive\r\nX-One: 1\r\nx-ONE: \u00e9\r\nY: \r\n',
    );
    expect(closes).to.equal(false);
  });

  it('takes Host, Content-Length and Connection for what they say, and sends each once', () => {
    const headers = ['HOST', 'b.example', 'Connection', 'close', 'content-length', '2', 'X', 'y'];
    const { head, closes, length } = request({ method: 'POST', body: 'ab', headers });
    expect(head).to.equal('POST / HTTP/1.1\r\nhost: b.example\r\nconnection: close\r\nX: y\r\n');
    expect({ closes, length }).to.deep.equal({ closes: true, length: 2 });
  });

  it('ends the connection after HEAD, and after a body that the method does not foresee', () => {
    expect(request({ method: 'HEAD' }).closes).to.equal(true);
    expect(request({ method: 'GET', body: 'x' }).closes).to.equal(true);
    expect(request({ method: 'DELETE', body: 'x' }).closes).to.equal(true);
    expect(request({ method: 'PUT', body: 'x' }).closes).to.equal(false);
    expect(request({ method: 'DELETE' }).closes).to.equal(false);
  });

  const bad: Readonly<Record<string, Partial<Dispatcher.DispatchOptions>>> = {
    'a line end in a value': { headers: ['X', 'a\r\nY: z'] },
    'a lone CR in a value': { headers: ['X', 'a\rb'] },
    'a lone LF in a value': { headers: ['X', 'a\nb'] },
    'NUL in a value': { headers: ['X', 'a\u0000'] },
    'a character above Latin-1 in a value': { headers: ['X', '\u010d\u010a'] },
    'a line end in a name': { headers: ['X\r\nY', 'z'] },
    'a space in a name': { headers: ['X ', 'z'] },
    'no name': { headers: ['', 'z'] },
    'a line end in Host': { headers: ['Host', 'a\r\nX: y'] },
    'two of Host': { headers: ['Host', 'a', 'host', 'a'] },
    'two lengths': { method: 'POST', body: 'a', headers: ['Content-Length', '1', 'content-length', '1'] },
    'a length that is none': { method: 'POST', headers: ['Content-Length', '+1'] },
    'a length in hexadecimal': { method: 'POST', headers: ['Content-Length', '0x1'] },
    'a length that is not the body’s': { method: 'POST', body: 'ab', headers: ['Content-Length', '1'] },
    'a length without a body': { method: 'POST', headers: ['Content-Length', '1'] },
    'a transfer-encoding': { method: 'POST', body: 'a', headers: ['transfer-ENCODING', 'chunked'] },
    'an upgrade': { headers: ['Upgrade', 'h2c'] },
    'an expectation': { headers: ['Expect', '100-continue'] },
    'connection options that are none': { headers: ['Connection', 'close, a b'] },
    'a line end in the path': { path: '/ HTTP/1.1\r\nX: y' },
    'a space in the path': { path: '/a b' },
    'a path of another origin': { path: 'http://b.example/' },
    'a character above Latin-1 in the path': { path: '/\u010a' },
    'a method with a space': { method: 'GET /x' },
    'a tunnel': { method: 'CONNECT' },
    'an odd list': { headers: ['X'] },
  };
  for (const [what, options] of Object.entries(bad)) {
    it(`is not written with ${what}`, () => {
      expect(() => request(options)).to.throw(/./);
    });
  }
});
