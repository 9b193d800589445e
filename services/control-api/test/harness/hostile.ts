import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { errorMembers } from '../../../../test/harness/check-answer.ts';
import type { Answer, TestApi } from './api.ts';

/** The common error object, and nothing of what is inside. */
export function expectProblem(answer: Answer, status: number): void {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expect(answer.body).to.include({ status }).and.to.have.all.keys(errorMembers);
  expect(answer.text).not.to.match(/<html|node_modules|\.ts:|at async|SELECT|postgres/i);
}

/** Sends bytes as they are and gives all that comes back. */
export async function sendBytes(api: TestApi, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(api.service.httpPort, '127.0.0.1');
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  return text(socket);
}

/** Of a request that asks for a new proxy. */
export function headOf(api: TestApi, extra: string): string {
  return (
    `POST /proxies HTTP/1.1\r\nHost: x\r\nSVC-API-KEY: ${api.tenant.managementKey}\r\n` +
    `Connection: close\r\n${extra}\r\n\r\n`
  );
}
