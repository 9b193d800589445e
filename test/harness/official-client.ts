import { createRequire } from 'node:module';

import type { Json } from './api.ts';
import { checkedAddress } from './checked-address.ts';
import type { System } from './system.ts';

const require = createRequire(import.meta.url);

/** The client that users of the hosted original have, unchanged: one version of its first line, and the newest. */
const versions: Readonly<Record<string, string>> = {
  '1.69.0': 'basis-theory-js-1',
  '4.30.2': '@basis-theory/basis-theory-js',
};

export interface OfficialClient {
  /** Its major version. */
  readonly major: number;
  /** One that sends that key, as their documentation has it made; both versions, so its types are neither's. */
  connect(system: System, key: string): Promise<Json>;
}

/** A suite for each version. */
export function describeOfficialClient(what: string, suite: (client: OfficialClient) => void): void {
  for (const [version, module] of Object.entries(versions)) {
    describe(`the official client ${version}, ${what}`, () =>
      suite({
        major: Number(version.split('.')[0]),
        async connect({ dev }, key) {
          const apiBaseUrl = await checkedAddress(dev.base_url);
          const { BasisTheory } = require(module) as Json;
          // Telemetry would report failed calls to its maker.
          return await new BasisTheory().init(key, { apiBaseUrl, disableTelemetry: true });
        },
      }));
  }
}

/** What a call of the client rejects with. */
export async function refusal(call: Promise<unknown>): Promise<Json> {
  return await call.then(
    (value) => {
      throw new Error(`it gave ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
