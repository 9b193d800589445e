import { generateApiKey, hashKey } from '@glovebox/access/api-key';
import type { ApplicationType } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';

import type { NamedRecord } from '../outbox/record.ts';
import type { ApplicationRow } from './application.ts';
import { publishedApplication } from './published.ts';

export interface ApplicationInput {
  readonly name: string;
  readonly type: ApplicationType;
  readonly permissions: readonly string[];
  readonly rules: readonly AccessRule[];
}

export interface NewApplication {
  readonly row: ApplicationRow;
  /** Shown once, stored nowhere. */
  readonly key: string;
  readonly keyHash: string;
  readonly records: readonly NamedRecord[];
}

export function newApplication(
  input: ApplicationInput,
  identity: { readonly id: string; readonly tenantId: string; readonly createdBy: string },
): NewApplication {
  const key = generateApiKey();
  const keyHash = hashKey(key);
  const row: ApplicationRow = {
    ...input,
    id: identity.id,
    tenant_id: identity.tenantId,
    version: '1',
    created_by: identity.createdBy,
    created_at: new Date(),
    modified_by: null,
    modified_at: null,
  };
  return { row, key, keyHash, records: publishedApplication(row, [keyHash]) };
}
