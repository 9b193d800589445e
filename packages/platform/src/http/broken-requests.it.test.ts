import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { expect } from 'chai';

import { answerBrokenRequests } from './broken-requests.ts';

describe('answerBrokenRequests', () => {
  /** What a client gets that sends `head`, and `rest` once the server has done something about it. */
  async function answerTo(head: string, rest: string, onRequest: (response: ServerResponse) => void) {
    const server = createServer((_request, response) => onRequest(response));
    answerBrokenRequests(server, 'https://glovebox.example/docs');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    client.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      if (answer.endsWith('half')) client.write(rest);
    });
    client.write(head);
    await once(client, 'close');
    server.close();
    return answer;
  }

  it('answers bytes that are not HTTP with the common error object', async () => {
    const answer = await answerTo('NO HTTP\r\n\r\n', '', () => undefined);
    expect(answer).to.match(/^HTTP\/1\.1 400 /);
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(body).to.include({
      status: 400,
      title: 'Bad Request',
      code: 'invalid_argument',
      trace_id: /SVC-TRACE-ID: (\S+)/.exec(answer)?.[1],
      doc_url: 'https://glovebox.example/docs/errors#invalid_argument',
    });
  });

  it('answers headers that are too large with a 431', async () => {
    const head = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    const answer = await answerTo(head, '', () => undefined);
    expect(answer).to.match(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).to.include({
      status: 431,
      code: 'too_large',
    });
  });

  it('writes nothing into an answer that has begun, but cuts it off', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n';
    const answer = await answerTo(head, 'no chunk\r\n', (response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('half');
    });
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
    expect(answer.endsWith('half')).to.equal(true);
  });
});
