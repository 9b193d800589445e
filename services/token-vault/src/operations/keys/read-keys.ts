import { AppError } from '@glovebox/platform/errors/app-error';
import type { GetKey, ListKeys } from '@glovebox/protos/vault/v1/vault';

import { requireKeyPermission } from '../../authorization/require-permission.ts';
import type { IdentifiedCall, Outcome } from '../../calls/open-call.ts';
import type { VaultContext } from '../../context/vault-context.ts';
import { requireAuthenticKeys } from '../../keys/client-keys/authentic-client-keys.ts';
import { presentClientKey } from '../../keys/client-keys/client-key.ts';
import { numberedPagination, readPageRequest } from '../../search/page-request.ts';
import { countClientKeys, selectClientKey, selectClientKeyPage } from '../../store/client-keys.ts';
import { isUuid } from '../../values/uuid.ts';
import { ValidationProblems } from '../../values/validation-problems.ts';

export async function getKey(
  vault: VaultContext,
  identified: IdentifiedCall,
  { keyId }: GetKey,
): Promise<Outcome> {
  await requireKeyPermission(vault, identified, 'read');
  const id = keyId.toLowerCase();
  const { tenantId } = identified.caller;
  const key = isUuid(id)
    ? await selectClientKey(vault.postgres.forTenant(tenantId), tenantId, id)
    : undefined;
  if (key === undefined) throw keyNotFound();
  await requireAuthenticKeys(vault.keyring, [key]);
  return { $case: 'key', value: { id, json: Buffer.from(JSON.stringify(presentClientKey(key))) } };
}

/** Newest first. */
export async function listKeys(
  vault: VaultContext,
  identified: IdentifiedCall,
  { query }: ListKeys,
): Promise<Outcome> {
  await requireKeyPermission(vault, identified, 'read');
  const { number, size } = readNumberedPage(query, vault.limits.pageSize);
  const { tenantId } = identified.caller;
  const db = vault.postgres.forTenant(tenantId);
  const total = await countClientKeys(db, tenantId);
  const offset = (number - 1) * size;
  const keys = offset < total ? await selectClientKeyPage(db, tenantId, { offset, size }) : [];
  await requireAuthenticKeys(vault.keyring, keys);
  const page = { pagination: numberedPagination(total, number, size), data: keys.map(presentClientKey) };
  return { $case: 'page', value: { json: Buffer.from(JSON.stringify(page)) } };
}

export function keyNotFound(): AppError {
  return new AppError('not_found', 'There is no key with this id.');
}

function readNumberedPage(
  text: string,
  pageSize: number,
): { readonly number: number; readonly size: number } {
  const query = new URLSearchParams(text);
  const problems = new ValidationProblems();
  const fields = { page: query.get('page'), size: query.get('size'), start: undefined };
  const page = readPageRequest(fields, false, pageSize, problems.at(''));
  problems.throwIfAny();
  return { number: page.kind === 'numbered' ? page.number : 1, size: page.size };
}
