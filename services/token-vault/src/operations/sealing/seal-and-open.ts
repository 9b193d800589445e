import { validationError } from '@glovebox/platform/errors/app-error';
import type { UnaryContext } from '@glovebox/platform/grpc/unary';
import type {
  OpenRequest,
  OpenResponse,
  StandInRequest,
  StandInResponse,
  SealRequest,
  SealResponse,
  SealedPlace,
} from '@glovebox/protos/vault/v1/vault';

import { checkPlaces } from '../../authorization/place-table.ts';
import { type Reporting, recordOwnViolation } from '../../context/record-violation.ts';
import type { Binding } from '../../crypto/envelope.ts';
import { IntegrityViolation } from '../../crypto/integrity-violation.ts';
import type { Sealer } from '../../crypto/sealer.ts';
import { standInOfText } from '../../tokens/stand-in.ts';
import { isUuid } from '../../values/uuid.ts';

/** Enough for a page of 100 proxies with 25 settings each. */
const maxItems = 2600;
/** The longest name of a configuration entry, with its prefix. */
const maxNameLength = 1100;

/** Binds a value to its place. The field's prefix separates it from tokens, so that Open cannot open the data of a token. */
export function bindingOf(place: SealedPlace | undefined, position: number): Binding {
  const problems: Record<string, string[]> = {};
  const require = (name: 'record_id' | 'field', value: string) => {
    if (value === '' || value.length > maxNameLength || !value.isWellFormed()) {
      problems[`items[${position}].place.${name}`] = [`must have 1 to ${maxNameLength} characters`];
    }
  };
  const { tenantId = '', recordId = '', field = '' } = place ?? {};
  if (!isUuid(tenantId)) problems[`items[${position}].place.tenant_id`] = ['must be a UUID'];
  require('record_id', recordId);
  require('field', field);
  if (Object.keys(problems).length > 0) throw validationError(problems);
  return { tenantId, recordId, field: `record/${field}` };
}

/** Checks all items before any is sealed or opened. */
export function bindAll<Item extends { readonly place: SealedPlace | undefined }>(
  action: 'seal' | 'open',
  peer: string,
  items: readonly Item[],
): readonly { readonly item: Item; readonly binding: Binding }[] {
  if (items.length > maxItems) throw validationError({ items: [`must have at most ${maxItems} entries`] });
  const bound = items.map((item, position) => ({ item, binding: bindingOf(item.place, position) }));
  checkPlaces(action, peer, items);
  return bound;
}

export async function seal(
  sealer: Sealer,
  { items }: SealRequest,
  { peer }: Pick<UnaryContext, 'peer'>,
): Promise<SealResponse> {
  const sealed: Buffer[] = [];
  for (const { item, binding } of bindAll('seal', peer, items))
    sealed.push(await sealer.seal(binding, item.plaintext));
  return { sealed };
}

/** All or nothing: one value that does not open refuses the request, without saying which. */
export async function open(
  vault: Reporting,
  sealer: Sealer,
  { items }: OpenRequest,
  { peer }: Pick<UnaryContext, 'peer'>,
): Promise<OpenResponse> {
  const plaintexts: Buffer[] = [];
  for (const { item, binding } of bindAll('open', peer, items)) {
    try {
      plaintexts.push(await sealer.open(binding, item.sealed));
    } catch (error) {
      if (error instanceof IntegrityViolation)
        await recordOwnViolation(vault, binding.tenantId, error, 'use');
      throw error;
    }
  }
  return { plaintexts };
}

/** Stand-ins of entries of configurations: nothing of the values themselves leaves (contract/dry-runs.md#stand-ins). */
export async function standIn(
  vault: Reporting,
  sealer: Sealer,
  { items }: StandInRequest,
  call: Pick<UnaryContext, 'peer'>,
): Promise<StandInResponse> {
  if (!items.every(({ place }) => place?.field.startsWith('configuration.'))) {
    throw validationError({ items: ['must be entries of configurations'] });
  }
  const { plaintexts } = await open(vault, sealer, { items }, call);
  const standIns = plaintexts.map((plaintext, at) =>
    Buffer.from(standInOfText(plaintext.toString(), items[at]?.place?.field ?? '')),
  );
  return { standIns };
}
