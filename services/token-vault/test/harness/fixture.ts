import type { AccessRule } from '@glovebox/protos/published/v1/published';
import type pg from 'pg';

import { editAuthentically } from './authentic-edit.ts';
import { ExchangeClient } from './exchange-client.ts';
import { Publisher, type TestApplication } from './published.ts';
import { withClient } from './servers.ts';
import { type Ground, type TestVault, prepareGround, startVault } from './vault.ts';

type Change = Parameters<typeof startVault>[2];

/** May do everything with the tokens of its tenant, and sees them in plain. */
export const ownerRule: Partial<AccessRule> = {
  container: '/',
  transform: 'reveal',
  permissions: ['token:create', 'token:read', 'token:update', 'token:delete', 'token:search', 'token:use'],
};

export const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

/** A vault with one tenant, one application that may do everything, and a client as the gateway has it. */
export class Fixture implements AsyncDisposable {
  readonly publisher: Publisher;
  readonly ground: Ground;
  readonly vault: TestVault;
  readonly gateway: ExchangeClient;
  readonly tenantId: string;
  readonly owner: TestApplication;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<Fixture, 'publisher' | 'ground' | 'vault' | 'gateway' | 'tenantId' | 'owner'>,
    stack: AsyncDisposableStack,
  ) {
    this.publisher = parts.publisher;
    this.ground = parts.ground;
    this.vault = parts.vault;
    this.gateway = parts.gateway;
    this.tenantId = parts.tenantId;
    this.owner = parts.owner;
    this.#stack = stack;
  }

  static async start(env: Record<string, string> = {}, change?: Change): Promise<Fixture> {
    await using stack = new AsyncDisposableStack();
    const publisher = stack.use(await Publisher.start());
    const ground = stack.use(await prepareGround(publisher.prefix));
    const vault = stack.use(await startVault(ground, env, change));
    const gateway = stack.use(new ExchangeClient(vault.as('proxy-gateway')));
    const tenantId = await publisher.tenant();
    const owner = await publisher.application({ tenantId, rules: [ownerRule] });
    return new Fixture({ publisher, ground, vault, gateway, tenantId, owner }, stack.move());
  }

  application(
    permissions: readonly string[],
    rules: readonly Partial<AccessRule>[] = [],
  ): Promise<TestApplication> {
    return this.publisher.application({ tenantId: this.tenantId, permissions, rules });
  }

  /** An application of another tenant that may do everything there. */
  async foreigner(): Promise<TestApplication> {
    return this.publisher.application({ tenantId: await this.publisher.tenant(), rules: [ownerRule] });
  }

  /** Id of a new token of the owner. */
  async token(data: unknown = card, more: object = {}): Promise<string> {
    const type = data === card ? 'card' : 'token';
    return String((await this.gateway.create(this.owner, { type, data, ...more }))['id']);
  }

  sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return withClient(
      this.ground.databaseUrl,
      async (client) => (await client.query<Row>(text, values)).rows,
    );
  }

  /** Changes columns with the keys, as a vault would; of all tokens unless ids are given. */
  edit(assignments: string, ids?: readonly string[]): Promise<void> {
    return editAuthentically(this.ground.env, assignments, ids);
  }

  /** A further vault on the same database, with the same keys. */
  async anotherVault(env: Record<string, string> = {}, change?: Change): Promise<AnotherVault> {
    await using stack = new AsyncDisposableStack();
    const vault = stack.use(await startVault(this.ground, env, change));
    const gateway = stack.use(new ExchangeClient(vault.as('proxy-gateway')));
    const held = stack.move();
    return { vault, gateway, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  /** Audit rows of one application, oldest first. */
  audit(application: TestApplication): Promise<AuditRow[]> {
    return this.sql<AuditRow>(
      `SELECT operation, token_id, outcome, reason, view, purpose, purpose_id, correlation_id, tenant_id,
              rule, destination, client_address
         FROM audit WHERE application_id = $1 ORDER BY id`,
      [application.id],
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

export interface AnotherVault extends AsyncDisposable {
  readonly vault: TestVault;
  readonly gateway: ExchangeClient;
}

export interface AuditRow {
  readonly operation: string;
  readonly token_id: string | null;
  readonly outcome: string;
  readonly reason: string | null;
  readonly view: string | null;
  readonly purpose: string | null;
  readonly purpose_id: string | null;
  readonly correlation_id: string | null;
  readonly tenant_id: string;
  readonly rule: number | null;
  readonly destination: string | null;
  readonly client_address: string | null;
}
