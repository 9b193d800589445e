import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createCertificateAuthority } from './certificate-authority.ts';
import { type ServiceName, serviceNames } from './service-names.ts';

const validMs = 90 * 86_400_000;

/**
 * Makes an authority and a certificate for each service, each time anew: nothing keeps the authority's key.
 * @returns the folder
 */
export async function makeCertificates(stateDir: string): Promise<string> {
  const folder = join(stateDir, 'certificates');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority = await createCertificateAuthority('Glovebox development');
  const notAfter = new Date(Date.now() + validMs);
  for (const name of serviceNames) {
    const { caFile, certFile, keyFile } = certificateFiles(folder, name);
    const { cert, key } = await authority.issue({ uris: [`spiffe://glovebox/${name}`], notAfter });
    writeFileSync(caFile, authority.cert);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key, { mode: 0o600 });
  }
  return folder;
}

export function certificateFiles(folder: string, name: ServiceName) {
  return {
    caFile: join(folder, 'authority.pem'),
    certFile: join(folder, `${name}.pem`),
    keyFile: join(folder, `${name}-key.pem`),
    identityPrefix: 'spiffe://glovebox/',
  };
}
