import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CertificateAuthority } from '@glovebox/local/certificate-authority';

import { type Certificates, openCertificates } from '../src/grpc/certificates.ts';
import type { GrpcTlsConfig } from '../src/grpc/tls-settings.ts';
import { createLogger } from '../src/telemetry/logger.ts';

export const identityPrefix = 'spiffe://glovebox/';
export const inAnHour = () => new Date(Date.now() + 3_600_000);
export const anHourAgo = () => new Date(Date.now() - 3_600_000);
export const uriOf = (service: string) => `${identityPrefix}${service}`;

export interface PemFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** What an authority gives a service: it trusts that authority, and those named besides. */
export async function issueTo(
  service: string,
  authority: CertificateAuthority,
  trusted: readonly CertificateAuthority[] = [authority],
): Promise<PemFiles> {
  const ca = trusted.map(({ cert }) => cert).join('');
  return { ca, ...(await authority.issue({ uris: [uriOf(service)], notAfter: inAnHour() })) };
}

/** Certificates that no service would start with, for a peer that has to be refused. */
export function unchecked({ ca, cert, key }: PemFiles): Certificates {
  return {
    current: { ca, cert, key, minVersion: 'TLSv1.3' },
    expiresAt: 0,
    identityPrefix,
    onChange: () => () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}

/** Files as Kubernetes mounts them: links to a folder that is replaced as a whole. Removed at the end of the block. */
export async function mountFiles(first: PemFiles) {
  const folder = await mkdtemp(join(tmpdir(), 'glovebox-certificates-'));
  let version = 0;
  const replace = async ({ ca, cert, key }: PemFiles) => {
    version += 1;
    const next = join(folder, `..version-${version}`);
    await mkdir(next);
    await Promise.all([
      writeFile(join(next, 'ca.crt'), ca),
      writeFile(join(next, 'tls.crt'), cert),
      writeFile(join(next, 'tls.key'), key),
    ]);
    await symlink(`..version-${version}`, join(folder, '..next'));
    await rename(join(folder, '..next'), join(folder, '..data'));
    await rm(join(folder, `..version-${version - 1}`), { recursive: true, force: true });
  };
  await replace(first);
  for (const name of ['ca.crt', 'tls.crt', 'tls.key']) await symlink(`..data/${name}`, join(folder, name));
  const config: GrpcTlsConfig = {
    caFile: join(folder, 'ca.crt'),
    certFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
    identityPrefix,
  };
  return {
    config,
    replace,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface OpenedFiles extends AsyncDisposable {
  readonly certificates: Certificates;
  readonly config: GrpcTlsConfig;
  readonly lines: { msg: string; reason?: string }[];
  /** Replaces the files, and waits until they are taken. */
  rotate(files: PemFiles): Promise<void>;
  /** Replaces the files and waits for nothing. */
  replace(files: PemFiles): Promise<void>;
}

/** The certificates of a service, from files of its own. */
export async function openFiles(
  service: string,
  files: PemFiles,
  options: { readonly pollMs?: number } = {},
): Promise<OpenedFiles> {
  await using stack = new AsyncDisposableStack();
  const { config, replace } = stack.use(await mountFiles(files));
  const lines: OpenedFiles['lines'] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) };
  const logger = createLogger({ service, level: 'debug', destination });
  const certificates = stack.use(await openCertificates({ config, service, logger, ...options }));
  const owned = stack.move();
  return {
    certificates,
    config,
    lines,
    replace,
    async rotate(next) {
      const taken = Promise.withResolvers<void>();
      const stop = certificates.onChange(taken.resolve);
      await replace(next);
      await taken.promise;
      stop();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
