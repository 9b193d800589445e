import { AppError } from '@glovebox/platform/errors';
import type { SealedPlace } from '@glovebox/protos/vault/v1/vault';

type Kind = 'configuration' | 'answer' | 'log' | 'job';

/**
 * Which kinds of places the services of the allow table may seal and open. What user code wrote to its log, and what
 * an asynchronous invocation gets and returns, may be token data: they are not for the control plane. What that has
 * answered may hold an API key; the runner makes nothing of what only the control plane stores.
 */
const placeTable: Readonly<Record<'seal' | 'open', Readonly<Record<string, readonly Kind[]>>>> = {
  seal: { 'control-api': ['configuration', 'answer'], 'reactor-runner': ['log', 'job'] },
  open: { 'control-api': ['configuration', 'answer'], 'reactor-runner': ['configuration', 'log', 'job'] },
};

/** @throws AppError `permission_denied` */
export function checkPlaces(
  action: 'seal' | 'open',
  peer: string,
  items: readonly { readonly place: SealedPlace | undefined }[],
): void {
  const permitted = placeTable[action][peer] ?? [];
  if (items.every(({ place }) => permitted.includes(kindOf(place?.field ?? '')))) return;
  throw new AppError('permission_denied', `The calling service may not ${action} values of this place.`);
}

function kindOf(field: string): Kind {
  if (field.startsWith('log.')) return 'log';
  if (field.startsWith('answer.')) return 'answer';
  return field.startsWith('job.') ? 'job' : 'configuration';
}
