import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import { revealsEverything } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { ListInvocations } from '@glovebox/protos/runner/v1/runner';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { LogSealing } from '../invocation-log/log-sealing.ts';
import type { InvocationStore } from '../invocation-log/store.ts';
import type { Reply } from '../replies/reply.ts';

export interface ListInvocationsContext {
  readonly published: Pick<PublishedRecords, 'applicationByKeyHash' | 'proxyReferenceById' | 'reactorById'>;
  readonly invocations: InvocationStore;
  readonly logSealing: LogSealing;
}

/** Less than the limit of a frame. */
const maxBytes = 4 * 1024 * 1024;
const maxSize = 100;

/**
 * The latest logged invocations of a proxy's or reactor's code, newest first, as many as requested and as fit into an
 * answer.
 * @throws AppError
 */
export async function listInvocations(
  { published, invocations, logSealing }: ListInvocationsContext,
  { owner, apiKey, size }: ListInvocations,
  correlationId: string,
): Promise<Reply> {
  const { ownerId, tenantId, unknown } = await resolveOwner(published, owner);
  await authorizeReader(published, apiKey, tenantId, unknown);
  const stored = await invocations.latest(ownerId, Math.min(maxSize, size));
  const fitting = stored.slice(0, countWithin(stored, maxBytes));
  const items = fitting.map(({ id, sealed }) => ({ place: { tenantId, ownerId, id }, sealed }));
  const texts = items.length === 0 ? [] : await logSealing.open(items, correlationId);
  return { $case: 'listed', value: { json: Buffer.from(`[${texts.join(',')}]`) } };
}

interface Owner {
  readonly ownerId: string;
  /** Empty if the owner does not exist. */
  readonly tenantId: string;
  readonly unknown: AppError;
}

async function resolveOwner(
  published: ListInvocationsContext['published'],
  owner: ListInvocations['owner'],
): Promise<Owner> {
  const ownerId = owner?.value ?? '';
  const isProxy = owner?.$case === 'proxyId';
  const found = await (isProxy ? published.proxyReferenceById(ownerId) : published.reactorById(ownerId));
  const unknown = new AppError(
    'not_found',
    isProxy ? 'There is no proxy with this id.' : 'There is no reactor with this id.',
  );
  return { ownerId, tenantId: found?.tenantId ?? '', unknown };
}

/** Code may log anything, so its logs may contain the plaintext of any token. */
async function authorizeReader(
  published: ListInvocationsContext['published'],
  apiKey: string,
  tenantId: string,
  unknown: AppError,
): Promise<void> {
  const application = isPlausibleApiKey(apiKey)
    ? await published.applicationByKeyHash(hashKey(apiKey))
    : undefined;
  if (application === undefined) throw new AppError('unauthenticated', 'The API key is not valid.');
  const { principal } = application;
  if (principal.tenantId !== tenantId) throw unknown;
  if (!revealsEverything(principal.grants, 'token:read')) {
    throw new AppError(
      'permission_denied',
      'The permission token:read is required, by a rule that reveals the container /.',
    );
  }
}

function countWithin(stored: readonly { readonly sealed: Buffer }[], bytes: number): number {
  let left = bytes;
  const first = stored.findIndex(({ sealed }) => (left -= sealed.length) < 0);
  return first === -1 ? stored.length : first;
}
