import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { expect } from 'chai';

import {
  connectCallStream,
  echoAll,
  outcome,
  soon,
  startCallStreamServer,
} from '../../test/call-stream-echo.ts';
import { type PemFiles, issueTo, mountFiles, openFiles, unchecked } from '../../test/certificate-files.ts';
import { EchoService, callerToken, startEcho, until } from '../../test/grpc-echo.ts';
import { ConfigError } from '../settings/config-error.ts';
import { createLogger } from '../telemetry/logger.ts';
import { Secret } from '../values/secret.ts';
import { openCertificates } from './certificates.ts';
import { createGrpcChannel } from './client.ts';
import { unary } from './unary.ts';

const authority = await createCertificateAuthority('the authority');
const next = await createCertificateAuthority('the authority');
const silent = createLogger({ service: 'echo', level: 'silent' });
const echo = { say: unary((request: { text: string }) => Promise.resolve(request)) };

describe('certificates: what a service starts with', () => {
  const problemWith = async (files: Partial<PemFiles>) => {
    await using mounted = await mountFiles({ ...(await issueTo('echo', authority)), ...files });
    return await openCertificates({ config: mounted.config, service: 'echo', logger: silent }).then(
      (opened) => opened[Symbol.dispose](),
      (error: unknown) => (error instanceof ConfigError ? error.problems.join() : error),
    );
  };

  it('takes files that belong together', async () => {
    expect(await problemWith({})).to.equal(undefined);
  });

  it('says which file is wrong, and how, and shows nothing of it', async () => {
    const { key } = await issueTo('echo', authority);
    expect(await problemWith({ key })).to.match(/^GRPC_TLS_KEY_FILE: .*not the key of the certificate/);
    expect(await problemWith({ key: 'x' })).to.match(/^GRPC_TLS_KEY_FILE: .*no private key/);
    expect(await problemWith({ cert: 'x' })).to.match(/^GRPC_TLS_CERT_FILE: .*no certificate/);
    expect(await problemWith({ ca: 'x' })).to.match(/^GRPC_TLS_CA_FILE: .*no certificate/);
    const damaged = authority.cert.replace(/MII.{20}/, 'AAAA');
    expect(await problemWith({ ca: authority.cert + damaged })).to.match(
      /^GRPC_TLS_CA_FILE: .*something other than certificates/,
    );
    expect(await problemWith({ key })).not.to.contain('PRIVATE');
  });

  it('names every problem at once', async () => {
    const problems = await problemWith({ ca: 'x', key: 'x' });
    expect(problems).to.match(/^GRPC_TLS_CA_FILE: .*,GRPC_TLS_KEY_FILE: /);
  });

  it('does not start with another service’s certificate', async () => {
    const { cert, key } = await issueTo('token-vault', authority);
    expect(await problemWith({ cert, key })).to.match(/must be spiffe:\/\/glovebox\/echo.*token-vault/);
  });

  it('says which file is missing', async () => {
    await using mounted = await mountFiles(await issueTo('echo', authority));
    await rm(mounted.config.caFile);
    const opened = openCertificates({ config: mounted.config, service: 'echo', logger: silent });
    const problem = await opened.then(String, (error: ConfigError) => error.problems.join());
    expect(problem).to.match(/^GRPC_TLS_CA_FILE: .*ca\.crt cannot be read \(ENOENT\)$/);
  });
});

describe('certificates: files that change', () => {
  it('takes what is swapped in, as Kubernetes does it', async () => {
    await using files = await openFiles('echo', await issueTo('echo', authority));
    const next = await issueTo('echo', authority);
    await files.rotate(next);
    expect(files.certificates.current.cert).to.equal(next.cert);
    const later = await issueTo('echo', authority);
    await files.rotate(later);
    expect(files.certificates.current.cert).to.equal(later.cert);
  });

  it('takes files that are overwritten one by one once they belong together again', async () => {
    await using files = await openFiles('echo', await issueTo('echo', authority), { pollMs: 20 });
    const before = files.certificates.current.cert;
    const next = await issueTo('echo', authority);
    await writeFile(files.config.certFile, next.cert);
    await until(() => files.lines.some(({ reason }) => reason?.startsWith('GRPC_TLS_KEY_FILE') ?? false));
    expect(files.certificates.current.cert).to.equal(before);
    await writeFile(files.config.keyFile, next.key);
    await until(() => files.certificates.current.cert === next.cert);
  });

  it('notices a change without a notification', async () => {
    await using mounted = await mountFiles(await issueTo('echo', authority));
    const folder = await mkdtemp(join(tmpdir(), 'glovebox-links-'));
    const link = async (file: string) => {
      const path = join(folder, basename(file));
      await symlink(file, path);
      return path;
    };
    // Only what the links lead to changes, and that folder nobody watches.
    const config = {
      ...mounted.config,
      caFile: await link(mounted.config.caFile),
      certFile: await link(mounted.config.certFile),
      keyFile: await link(mounted.config.keyFile),
    };
    using certificates = await openCertificates({ config, service: 'echo', logger: silent, pollMs: 20 });
    const next = await issueTo('echo', authority);
    await mounted.replace(next);
    await until(() => certificates.current.cert === next.cert);
    await rm(folder, { recursive: true });
  });

  it('keeps what it has when what comes is another service’s, and says so once', async () => {
    await using files = await openFiles('echo', await issueTo('echo', authority));
    const before = files.certificates.current.cert;
    await files.replace(await issueTo('other', authority));
    await until(() => files.lines.length > 0);
    expect(files.lines[0]?.reason).to.match(/spiffe:\/\/glovebox\/other/);
    expect(files.certificates.current.cert).to.equal(before);
  });
});

describe('certificates: rotated under load', () => {
  const old = authority;

  it('fails no call while certificates, keys and the authority itself are replaced', async () => {
    await using serverFiles = await openFiles('echo', await issueTo('echo', old));
    await using callerFiles = await openFiles('caller', await issueTo('caller', old));
    await using server = await startCallStreamServer(echoAll, { certificates: serverFiles.certificates });
    await using other = await startEcho(echo, { certificates: serverFiles.certificates });
    const options = {
      token: new Secret(callerToken),
      tls: { peer: 'echo', certificates: callerFiles.certificates },
    };
    const channel = createGrpcChannel({ address: `127.0.0.1:${server.port}`, ...options });
    await using connected = connectCallStream(server.port, {
      openStream: () => channel.stream(EchoService.exchange),
    });
    const { client } = connected;

    const failures: unknown[] = [];
    const done = { streamed: 0, connected: 0 };
    const stop = new AbortController();
    const stream = async () => {
      while (!stop.signal.aborted) {
        await client.call({ text: 'x' }, soon()).catch((error: unknown) => failures.push(error));
        done.streamed += 1;
      }
    };
    // Each on a connection of its own, with the certificates of that moment.
    const dial = async () => {
      while (!stop.signal.aborted) {
        const own = createGrpcChannel({ address: `127.0.0.1:${other.port}`, ...options });
        await own
          .unary(EchoService.say, { text: 'x' }, soon())
          .catch((error: unknown) => failures.push(error));
        own.close();
        done.connected += 1;
      }
    };
    const load = [stream(), stream(), stream(), dial(), dial()];
    const more = async () => {
      const { streamed, connected: dialled } = done;
      await until(() => done.streamed > streamed + 200 && done.connected > dialled + 10);
    };

    await more();
    const steps = [
      { by: old, trusted: [old] },
      { by: old, trusted: [old, next] },
      { by: next, trusted: [old, next] },
      { by: next, trusted: [next] },
    ];
    for (const { by, trusted } of steps) {
      await serverFiles.rotate(await issueTo('echo', by, trusted));
      await more();
      await callerFiles.rotate(await issueTo('caller', by, trusted));
      await more();
    }
    stop.abort();
    await Promise.all(load);
    expect(failures).to.deep.equal([]);
    // The stream is still the first one.
    expect(server.lines.filter(({ msg }) => msg === 'call stream opened')).to.have.lengthOf(1);
    channel.close();

    const late = { peer: 'echo', certificates: unchecked(await issueTo('caller', old, [old, next])) };
    const refused = createGrpcChannel({ address: `127.0.0.1:${other.port}`, ...options, tls: late });
    expect(await outcome(refused.unary(EchoService.say, { text: 'x' }, soon()))).to.equal('unavailable');
    refused.close();
  }).timeout(60_000);
});
