import { validationError } from '@glovebox/platform/errors/app-error';
import type { SealedPlace } from '@glovebox/protos/vault/v1/vault';

import type { Binding } from '../../crypto/envelope.ts';
import { isUuid } from '../../values/uuid.ts';

/** Enough for a page of 100 proxies with 25 settings each. */
export const maxItems = 2600;
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

export function checkItemCount(count: number): void {
  if (count > maxItems) throw validationError({ items: [`must have at most ${maxItems} entries`] });
}
