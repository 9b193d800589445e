import type { ReactorInput } from '../../reactors/fields.ts';
import type { SealedConfiguration } from '../../secrets/sealer.ts';

/** The columns that an update sets, from what was sent. */
export function settableColumns(
  { name, columns, application, allowedDestinations }: ReactorInput,
  sealedConfiguration: SealedConfiguration,
) {
  return {
    name,
    sealed_configuration: sealedConfiguration,
    allowed_destinations: allowedDestinations,
    application_id: application?.id ?? null,
    ...columns,
  };
}
