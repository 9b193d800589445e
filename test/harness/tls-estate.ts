import { X509Certificate } from 'node:crypto';
import type { ServerOptions } from 'node:https';

import { publicKeyPin } from '@glovebox/egress/public-key-pin';
import { createCertificateAuthority } from '@glovebox/local/certificate-authority';

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Authorities, and what destinations and proxies have of them. */
export async function tlsEstate() {
  const authority = await createCertificateAuthority('of destinations');
  const clients = await createCertificateAuthority('of clients');
  const server = await authority.issue({ uris: [], hosts: ['localhost'], notAfter: inAnHour() });
  return {
    /** Vouches for the destination. */
    ca: authority.cert,
    /** Vouches for clients only. */
    otherCa: clients.cert,
    pin: publicKeyPin(new X509Certificate(server.cert)),
    otherPin: publicKeyPin(new X509Certificate(clients.cert)),
    /** Of a destination that asks each client for a certificate, and demands one. */
    demanding: {
      ...server,
      ca: [clients.cert],
      requestCert: true,
      rejectUnauthorized: true,
    } satisfies ServerOptions,
    /** Of one that takes whatever is shown, if anything is. */
    asking: {
      ...server,
      ca: [clients.cert],
      requestCert: true,
      rejectUnauthorized: false,
    } satisfies ServerOptions,
    /** What a proxy shows; the destination reads it as `URI:{uri}`. */
    async client(uri: string) {
      const { cert, key } = await clients.issue({ uris: [uri], notAfter: inAnHour() });
      return { client_certificate: cert, client_key: key };
    },
    async stranger() {
      const { cert, key } = await authority.issue({ uris: ['urn:stranger'], notAfter: inAnHour() });
      return { client_certificate: cert, client_key: key };
    },
  };
}
