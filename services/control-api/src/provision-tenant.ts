import { randomUUID } from 'node:crypto';

import type { AppError } from '@glovebox/platform/errors/app-error';

import type { StoreConfig } from './config.ts';
import { openStores } from './open-stores.ts';
import { type CreatedTenant, createTenant } from './operations/tenants/create-tenant.ts';
import { developmentApplications, firstApplication } from './operations/tenants/first-applications.ts';
import { isNotPublished } from './publication/changes.ts';

export interface NewTenant {
  readonly name: string;
  /** With applications for trying everything out. */
  readonly development: boolean;
}

export interface ProvisionedTenant {
  readonly tenant: CreatedTenant;
  /** Why it is stored only; the service publishes it as soon as it can. */
  readonly unpublished?: AppError;
}

/** Makes a tenant. */
export async function provisionTenant(
  config: StoreConfig,
  { name, development }: NewTenant,
): Promise<ProvisionedTenant> {
  await using stores = await openStores(config);
  const applications = [firstApplication, ...(development ? developmentApplications : [])];
  let created: CreatedTenant | undefined;
  try {
    const tenantId = randomUUID();
    const tenant = await stores.publication.changes.apply({ recorded: tenantId }, async (tx) => {
      const changed = await createTenant(tx, tenantId, name, applications);
      created = changed.result;
      return changed;
    });
    return { tenant };
  } catch (error) {
    // The keys exist nowhere else: they must reach the caller even so.
    if (created === undefined || !isNotPublished(error)) throw error;
    return { tenant: created, unpublished: error };
  }
}
