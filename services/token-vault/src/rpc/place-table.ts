import { AppError } from '@glovebox/platform/errors';
import type { SealedPlace } from '@glovebox/protos/vault/v1/vault';

type Kind = 'configuration' | 'log';

/**
 * Which kinds of places the services of the allow table may seal and open. What user code wrote to its log may be token
 * data, so logs are not for the control plane; and the runner makes nothing of what only the control plane stores.
 */
const placeTable: Readonly<Record<'seal' | 'open', Readonly<Record<string, readonly Kind[]>>>> = {
  seal: { 'control-api': ['configuration'], 'reactor-runner': ['log'] },
  open: { 'control-api': ['configuration'], 'reactor-runner': ['configuration', 'log'] },
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
  return field.startsWith('log.') ? 'log' : 'configuration';
}
