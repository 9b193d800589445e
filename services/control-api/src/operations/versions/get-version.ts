import type { Call, Reply } from '../../http/call.ts';
import { type VersionedKind, showVersion } from '../../versions/kind.ts';
import type { Dependencies } from '../dependencies.ts';
import { missingVersion } from './missing.ts';

export function getVersion(kind: VersionedKind) {
  return async ({ postgres }: Dependencies, { principal, id, version }: Call): Promise<Reply> => {
    const row = (await kind.find(postgres, principal.tenantId, id, version)) ?? missingVersion(kind);
    return { status: 200, body: showVersion(kind, row) };
  };
}
