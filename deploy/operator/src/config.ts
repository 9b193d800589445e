import { EnvReader } from '@glovebox/platform/settings/env';
import type { Secret } from '@glovebox/platform/values/secret';

import type { BackedUp } from './manifest.ts';

export type DatabaseUrls = Readonly<Record<BackedUp, Secret<string>>>;

/** @throws ConfigError */
export function readDatabaseUrls(environment: NodeJS.ProcessEnv = process.env): DatabaseUrls {
  const env = new EnvReader(environment);
  const schemes = ['postgres', 'postgresql'];
  return env.done({
    control: env.url('CONTROL_DATABASE_URL', schemes),
    vault: env.url('VAULT_DATABASE_URL', schemes),
  });
}
