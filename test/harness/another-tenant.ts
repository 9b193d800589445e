import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';

import { compileCache } from './compile-cache.ts';
import type { System } from './system.ts';

const run = promisify(execFile);

export interface OtherTenant {
  readonly tenant_id: string;
  readonly management_api_key: string;
}

/** A further tenant of a system, made as its operator makes one: `npm run glovebox -- tenant create NAME`. */
export async function anotherTenant({ stateDir }: System, name: string): Promise<OtherTenant> {
  const command = ['--conditions=source', 'deploy/local/src/glovebox.ts', 'tenant', 'create', name];
  const env = { ...compileCache, PATH: process.env['PATH'], GLOVEBOX_STATE_DIR: stateDir };
  const { stdout } = await run(process.execPath, command, { cwd: checkout, env });
  return JSON.parse(stdout) as OtherTenant;
}
