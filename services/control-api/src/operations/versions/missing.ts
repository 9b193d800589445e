import { AppError } from '@glovebox/platform/errors/app-error';

import type { VersionedKind } from '../../versions/kind.ts';

export function missingResource({ name }: VersionedKind): never {
  throw new AppError('not_found', `There is no such ${name}.`);
}

/** Also of a resource that does not exist. */
export function missingVersion({ name }: VersionedKind): never {
  throw new AppError('not_found', `There is no such version of such a ${name}; the newest 100 are kept.`);
}
