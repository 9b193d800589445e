import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { Client, Metadata, credentials, status } from '@grpc/grpc-js';
import { load } from '@grpc/proto-loader';
import { expect } from 'chai';

import { callerToken, startEcho } from '../../test/grpc-echo.ts';

const installed = dirname(createRequire(import.meta.url).resolve('@grpc/reflection'));
const reflection = {
  protoDir: join(import.meta.dirname, '../../test'),
  protoFiles: ['echo.proto'],
};

/** The names of the services that a server says it has, or the code of its refusal. */
async function listServices(port: number, token?: string): Promise<string[] | status> {
  const definition = await load(join(installed, '../proto/grpc/reflection/v1/reflection.proto'));
  const service = definition['grpc.reflection.v1.ServerReflection'] as Record<string, never>;
  const method = service['ServerReflectionInfo'] as unknown as {
    path: string;
    requestSerialize: (value: object) => Buffer;
    responseDeserialize: (bytes: Buffer) => { listServicesResponse: { service: { name: string }[] } };
  };
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const { path, requestSerialize, responseDeserialize } = method;
  const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, {});
  try {
    return await new Promise((resolve) => {
      stream.on('data', (answer: ReturnType<typeof responseDeserialize>) =>
        resolve(answer.listServicesResponse.service.map(({ name }) => name)),
      );
      stream.on('error', ({ code }: Error & { code: status }) => resolve(code));
      stream.write({ listServices: '' });
    });
  } finally {
    stream.end();
    client.close();
  }
}

describe('gRPC reflection', () => {
  it('names the services to a known peer, and to nobody else', async () => {
    await using server = await startEcho({}, { reflection });
    expect(await listServices(server.port, callerToken)).to.include('echo.v1.EchoService');
    expect(await listServices(server.port)).to.equal(status.UNAUTHENTICATED);
  });
});
