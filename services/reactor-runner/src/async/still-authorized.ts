import { mayInvoke } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { JobData } from './job.ts';

/** The application whose key invoked it still exists and may still use tokens. @throws AppError */
export async function stillAuthorized(
  registry: Pick<PublishedRecords, 'applicationById'>,
  { applicationId, tenantId }: Pick<JobData, 'applicationId' | 'tenantId'>,
): Promise<void> {
  const principal = (await registry.applicationById(applicationId))?.principal;
  if (principal?.tenantId !== tenantId) {
    throw new AppError(
      'unauthenticated',
      'The application that invoked the reactor does not exist any more.',
    );
  }
  if (!mayInvoke(principal.grants)) {
    throw new AppError('permission_denied', 'The permission token:use is required.');
  }
}
