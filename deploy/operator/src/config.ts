import { databaseUrl } from '@glovebox/platform/settings/common-settings';
import { readSettings } from '@glovebox/platform/settings/read-settings';
import type { Secret } from '@glovebox/platform/values/secret';

import type { BackedUp } from './manifest.ts';

export type DatabaseUrls = Readonly<Record<BackedUp, Secret<string>>>;

const meaning =
  'A database to back up, by a role that may read everything; or to fill, by the role that is to own it';

export const settings = {
  control: databaseUrl('CONTROL_DATABASE_URL', meaning),
  vault: databaseUrl('VAULT_DATABASE_URL', meaning),
};

/** @throws ConfigError */
export function readDatabaseUrls(environment: NodeJS.ProcessEnv = process.env): DatabaseUrls {
  return readSettings(settings, environment);
}
