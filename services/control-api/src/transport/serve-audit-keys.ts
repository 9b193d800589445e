import { AppError } from '@glovebox/platform/errors/app-error';
import type { RequestHandler } from 'express';

import type { AuditKey, ExportSigner } from '../audit/vault-sources.ts';
import { trailOf } from './observe.ts';

export const auditKeysPath = '/.well-known/glovebox-audit-keys';

/** Anybody may ask: the vault is asked once in this time. */
const keptMs = 10_000;

/** The public keys of exports, as a JSON Web Key Set (RFC 7517); it needs no key (contract/audit-export.md#keys). */
export function serveAuditKeys(signer: ExportSigner): RequestHandler {
  let kept: { readonly keys: Promise<readonly AuditKey[]>; readonly until: number } | undefined;
  return async (request, response) => {
    const trail = trailOf(request);
    trail.route = auditKeysPath;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      throw new AppError('method_not_allowed', 'Allowed here: GET, HEAD.');
    }
    if (kept === undefined || kept.until < Date.now()) {
      kept = { keys: signer.publicKeys(trail.correlationId), until: Date.now() + keptMs };
    }
    const asked = kept;
    const keys = await asked.keys.catch((error: unknown) => {
      if (kept === asked) kept = undefined;
      throw error;
    });
    response.status(200).json({ keys: keys.map(jwkOf) });
  };
}

function jwkOf({ fingerprint, publicKey, createdAt }: AuditKey): object {
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey,
    kid: fingerprint,
    alg: 'EdDSA',
    use: 'sig',
    created_at: createdAt.toISOString(),
  };
}
