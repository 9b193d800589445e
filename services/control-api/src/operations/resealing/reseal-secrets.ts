import type { Queryable, TenantDatabase } from '@glovebox/platform/db/postgres';
import { AppError } from '@glovebox/platform/errors/app-error';
import type { Logger } from '@glovebox/platform/telemetry/logger';

import { clientKeyField, resealedTls } from '../../proxies/destination-tls.ts';
import type { ProxyRow } from '../../proxies/fields.ts';
import { publishedProxy } from '../../proxies/published.ts';
import { proxyRollouts } from '../../proxies/rollouts.ts';
import { allSealedOf as proxySecrets } from '../../proxies/secrets.ts';
import { lockProxy, pageOfProxies, replaceSealedProxy } from '../../proxies/store.ts';
import { append } from '../../publication/outbox.ts';
import type { ReactorRow } from '../../reactors/fields.ts';
import { publishedReactor } from '../../reactors/published.ts';
import { reactorRollouts } from '../../reactors/rollouts.ts';
import { sealedSecretsOf as reactorSecrets } from '../../reactors/secrets.ts';
import { findReactor, lockReactor, pageOfReactors, replaceSealedReactor } from '../../reactors/store.ts';
import { Resealed } from '../../secrets/resealed.ts';
import type { SealedSecret, Sealer } from '../../secrets/sealer.ts';
import { resealVersions, sealedInVersions } from '../../versions/sealed-versions.ts';
import type { WebhookRow } from '../../webhooks/fields.ts';
import { publishedWebhooks } from '../../webhooks/published.ts';
import { sealedSecretsOf as webhookSecrets } from '../../webhooks/secrets.ts';
import { findWebhook, lockWebhooks, pageOfWebhooks, replaceSealedWebhook } from '../../webhooks/store.ts';

interface Resealing {
  readonly postgres: TenantDatabase;
  readonly sealer: Sealer;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

interface Resource {
  readonly id: string;
  readonly tenant_id: string;
}

/** A kind of resources with sealed values. */
interface Kind<Row extends Resource> {
  readonly name: string;
  /** The next ones by id, of all tenants. */
  readonly page: (db: Queryable, after: string, limit: number) => Promise<Row[]>;
  readonly secretsOf: (row: Row) => SealedSecret[];
  /** Those of its kept versions, by the resource's id. */
  readonly versions?: (
    db: Queryable,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly SealedSecret[]>>;
  /** Locks the row and replaces what is still as it was, published state included. */
  readonly replace: (tx: Queryable, row: Row, resealed: Resealed) => Promise<void>;
}

const proxies: Kind<ProxyRow> = {
  name: 'proxies',
  page: pageOfProxies,
  secretsOf: proxySecrets,
  versions: (db, ids) => sealedInVersions(db, 'proxies', ids, clientKeyField),
  replace: async (tx, { tenant_id: tenantId, id }, resealed) => {
    const current = await lockProxy(tx, tenantId, id);
    const next = {
      ...current,
      sealed_key: resealed.value(current.sealed_key),
      sealed_configuration: resealed.configuration(current.sealed_configuration),
      destination_tls: resealedTls(current.destination_tls, resealed),
    };
    await replaceSealedProxy(tx, next);
    await resealVersions(tx, 'proxies', id, resealed);
    // The version stays, so Redis keeps what it has until it is signed anew, which this makes due.
    await append(tx, [...publishedProxy(next), ...(await proxyRollouts.published(tx, id))]);
  },
};

const reactors: Kind<ReactorRow> = {
  name: 'reactors',
  page: pageOfReactors,
  secretsOf: reactorSecrets,
  versions: (db, ids) => sealedInVersions(db, 'reactors', ids),
  replace: async (tx, { tenant_id: tenantId, id }, resealed) => {
    const current = await lockReactor(tx, tenantId, id);
    const next = {
      ...current,
      sealed_configuration: resealed.configuration(current.sealed_configuration),
    };
    await replaceSealedReactor(tx, next);
    await resealVersions(tx, 'reactors', id, resealed);
    const { formula } = await findReactor(tx, tenantId, id);
    await append(tx, [publishedReactor(next, formula), ...(await reactorRollouts.published(tx, id))]);
  },
};

const webhooks: Kind<WebhookRow> = {
  name: 'webhooks',
  page: pageOfWebhooks,
  secretsOf: webhookSecrets,
  replace: async (tx, { tenant_id: tenantId, id }, resealed) => {
    const version = await lockWebhooks(tx, tenantId);
    const current = await findWebhook(tx, tenantId, id);
    await replaceSealedWebhook(tx, {
      ...current,
      sealed_secret: resealed.value(current.sealed_secret),
      sealed_previous_secret: resealed.value(current.sealed_previous_secret),
    });
    await append(tx, await publishedWebhooks(tx, tenantId, version));
  },
};

const pageSize = 50;
/** Below every id. */
const first = '00000000-0000-0000-0000-000000000000';

/**
 * Has the vault seal secrets anew that are sealed under earlier data keys. Several processes may do it at the same time: what
 * another has changed meanwhile stays.
 * @returns how many resources had such secrets
 */
export async function resealSecrets(resealing: Resealing): Promise<number> {
  const resealed =
    (await resealKind(resealing, proxies)) +
    (await resealKind(resealing, reactors)) +
    (await resealKind(resealing, webhooks));
  if (resealed > 0) resealing.logger.info({ resealed }, 'secrets were sealed under newer data keys');
  return resealed;
}

async function resealKind<Row extends Resource>(resealing: Resealing, kind: Kind<Row>): Promise<number> {
  const db = resealing.postgres.acrossTenants('resealing');
  let resealed = 0;
  for (let after = first; ;) {
    const page = await kind.page(db, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return resealed;
    const versions = await kind.versions?.(
      db,
      page.map(({ id }) => id),
    );
    for (const [tenantId, rows] of Map.groupBy(page, ({ tenant_id }) => tenant_id)) {
      const withSecrets = rows.map((row) => ({
        row,
        secrets: [...kind.secretsOf(row), ...(versions?.get(row.id) ?? [])],
      }));
      resealed += await resealTenant(resealing, kind, tenantId, withSecrets);
    }
    after = last.id;
  }
}

async function resealTenant<Row extends Resource>(
  { postgres, sealer, logger }: Resealing,
  kind: Kind<Row>,
  tenantId: string,
  rows: readonly { readonly row: Row; readonly secrets: readonly SealedSecret[] }[],
): Promise<number> {
  let count = 0;
  try {
    const resealed = await Resealed.of(
      sealer,
      rows.flatMap(({ secrets }) => secrets),
    );
    for (const { row } of rows.filter(({ secrets }) => resealed.hasAny(secrets))) {
      await postgres
        .forTenant(tenantId)
        .transaction((tx) => kind.replace(tx, row, resealed))
        .catch(unlessDeleted);
      count += 1;
    }
  } catch (err) {
    logger.warn({ err, tenant_id: tenantId, kind: kind.name }, 'secrets were not all sealed anew');
  }
  return count;
}

function unlessDeleted(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error;
}
