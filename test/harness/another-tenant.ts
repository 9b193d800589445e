import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';
import type { DevelopmentTenant } from '@glovebox/local/settings';

import { compileCache } from './compile-cache.ts';
import type { System } from './system.ts';

const run = promisify(execFile);

export interface OtherTenant {
  readonly tenant_id: string;
  readonly management_api_key: string;
}

/** A further tenant of a system, made as its operator makes one: `npm run glovebox -- tenant create NAME`. */
export function anotherTenant(system: System, name: string): Promise<OtherTenant> {
  return createTenant(system, name);
}

/** The same, with a private and a public application. */
export async function developmentTenant(system: System, name: string): Promise<DevelopmentTenant> {
  return (await createTenant(system, name, '--development')) as DevelopmentTenant;
}

async function createTenant({ stateDir }: System, ...args: string[]): Promise<OtherTenant> {
  const command = ['--conditions=source', 'deploy/local/src/glovebox.ts', 'tenant', 'create', ...args];
  const env = { ...compileCache, PATH: process.env['PATH'], GLOVEBOX_STATE_DIR: stateDir };
  const { stdout } = await run(process.execPath, command, { cwd: checkout, env });
  return JSON.parse(stdout) as OtherTenant;
}
