import type { Api } from '../api/api.ts';
import { type JsonObject, plainText } from '../api/json.ts';
import { listAll } from '../api/list.ts';
import { type Kind, byKind, kindFacts, kinds } from '../files/kinds.ts';

/** What a tenant has now. */
export interface Tenant {
  readonly id: string;
  /** The application whose key is used. */
  readonly ownApplication: string;
  readonly resources: Readonly<Record<Kind, readonly JsonObject[]>>;
  /** Undefined unless it was asked for. */
  readonly egressPolicy: JsonObject | undefined;
}

/**
 * @param own the application whose key is used
 * @param wanted the kinds that count; of the others nothing is read, so no permission is needed
 */
export async function readTenant(
  api: Api,
  own: JsonObject,
  wanted: ReadonlySet<Kind>,
  withPolicy: boolean,
): Promise<Tenant> {
  const read = async (kind: Kind) =>
    [kind, wanted.has(kind) ? await listAll(api, kindFacts[kind].path) : []] as const;
  const lists = new Map(await Promise.all(kinds.map(read)));
  return {
    id: plainText(own['tenant_id']),
    ownApplication: plainText(own['id']),
    resources: byKind((kind) => lists.get(kind) ?? []),
    egressPolicy: withPolicy ? await api.read('/tenants/self/egress-policy') : undefined,
  };
}
