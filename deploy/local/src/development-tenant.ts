import { setTimeout as delay } from 'node:timers/promises';

import { grantEverything } from './grant-everything.ts';
import { StartProblem } from './problem.ts';
import { runControlCli } from './service-cli.ts';
import type { System } from './service-env.ts';
import type { DevelopmentTenant } from './settings.ts';

/**
 * The tenant for trying things out: that of an earlier start if this database still has it, else a new one.
 * @throws StartProblem when none can be made
 */
export async function ensureDevelopmentTenant(
  system: System,
  kept: DevelopmentTenant | undefined,
): Promise<DevelopmentTenant> {
  const controlUrl = `http://127.0.0.1:${system.ports['control-api']}`;
  if (kept !== undefined && (await isKnown(controlUrl, kept))) {
    await grantEverything(controlUrl, kept.management_api_key);
    return kept;
  }
  const output = await runControlCli(system, ['tenant', 'create', 'development', '--development']);
  const made: unknown = JSON.parse(output);
  if (isDevelopmentTenant(made)) return made;
  throw new StartProblem(
    "control-api's command made a tenant but did not tell its keys",
    'This is a fault of Glovebox: please report it.',
  );
}

/** Waits until the data plane knows the tenant's keys, so that the printed commands work at once. */
export async function waitUntilKeysWork(
  baseUrl: string,
  tenant: DevelopmentTenant,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + 15_000;
  let status = 0;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    status = await statusOf(`${baseUrl}/tokens/there-is-no-such-token`, tenant.private_api_key);
    if (status >= 200 && status < 500 && status !== 401) return;
    await delay(50);
  }
  throw new StartProblem(
    `the gateway does not accept the development tenant's key (status ${status})`,
    'See .glovebox/logs/proxy-gateway.log and token-vault.log.',
  );
}

async function isKnown(controlUrl: string, tenant: DevelopmentTenant): Promise<boolean> {
  const status = await statusOf(`${controlUrl}/tenants/self`, tenant.management_api_key);
  return status !== 401;
}

async function statusOf(url: string, apiKey: string): Promise<number> {
  try {
    const answer = await fetch(url, {
      headers: { 'SVC-API-KEY': apiKey },
      signal: AbortSignal.timeout(5_000),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}

function isDevelopmentTenant(value: unknown): value is DevelopmentTenant {
  const names = ['tenant_id', 'management_api_key', 'private_api_key', 'public_api_key'];
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
  );
}
