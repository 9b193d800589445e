import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Socket, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';

import type { PackageRunner } from './package-runner.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface LocalServer extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
}

type Answer = (request: Received, response: ServerResponse) => void;

export interface Certificate {
  /** The one that has signed it, PEM. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A server of HTTP on 127.0.0.1, with a certificate of HTTPS. */
export async function startServer(answer: Answer, certificate?: Certificate): Promise<LocalServer> {
  const received: Received[] = [];
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = message;
    const request = { method, url, headers, body: await text(message) };
    received.push(request);
    answer(request, response);
  };
  const listener = (message: IncomingMessage, response: ServerResponse) => void handle(message, response);
  const server: Server =
    certificate === undefined ? createServer(listener) : createTlsServer({ ...certificate }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http${certificate === undefined ? '' : 's'}://127.0.0.1:${port}`,
    port,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createTcpServer((socket: Socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A certificate for `localhost` and 127.0.0.1, which node-forge makes in an isolate. */
export async function makeCertificate(packages: PackageRunner): Promise<Certificate> {
  return (await packages.valueOf(`
    const { pki, md } = require('node-forge');
    const make = (name, extensions, issuer) => {
      const keys = pki.rsa.generateKeyPair(2048);
      const cert = pki.createCertificate();
      cert.publicKey = keys.publicKey;
      cert.serialNumber = issuer === undefined ? '01' : '02';
      cert.validity.notBefore = new Date(Date.now() - 86400000);
      cert.validity.notAfter = new Date(Date.now() + 86400000);
      cert.setSubject([{ name: 'commonName', value: name }]);
      cert.setIssuer([{ name: 'commonName', value: 'test authority' }]);
      cert.setExtensions(extensions);
      cert.sign((issuer ?? keys).privateKey, md.sha256.create());
      return { ...keys, cert };
    };
    const authority = make('test authority', [
      { name: 'basicConstraints', cA: true, critical: true }, { name: 'keyUsage', keyCertSign: true, critical: true }]);
    const server = make('localhost', [
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }, { type: 7, ip: '127.0.0.1' }] }], authority);
    return { ca: pki.certificateToPem(authority.cert), cert: pki.certificateToPem(server.cert),
      key: pki.privateKeyToPem(server.privateKey) };`)) as Certificate;
}
