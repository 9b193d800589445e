import { randomBytes } from 'node:crypto';

import type { RunningPostgres } from '@glovebox/local/postgres';
import { type Schema, migrate } from '@glovebox/platform/db/migrate';
import { Secret } from '@glovebox/platform/values/secret';
import { Client } from 'pg';

/** As in an installation: it owns nothing, and has the rights that the migrations give. */
const serviceRole = { name: 'glovebox_test_service', password: 'of-a-service' };

/** Databases in which all migrations have run: copies of one, which takes a quarter of the time. */
export class MigratedDatabases {
  readonly #server: RunningPostgres;
  readonly #schema: Schema;
  #template: Promise<string> | undefined;

  constructor(server: RunningPostgres, schema: Schema) {
    this.#server = server;
    this.#schema = schema;
  }

  /** @returns its URL by the role of a service */
  async create(name: string): Promise<string> {
    this.#template ??= this.#makeTemplate();
    await this.#query(`CREATE DATABASE ${name} TEMPLATE ${await this.#template}`);
    const url = new URL(this.#server.url(name));
    url.username = serviceRole.name;
    url.password = serviceRole.password;
    return url.href;
  }

  async #makeTemplate(): Promise<string> {
    const name = `template_${randomBytes(6).toString('hex')}`;
    await this.#query(`CREATE DATABASE ${name}`);
    await this.#query(`
      DO $$ BEGIN
        CREATE ROLE ${serviceRole.name} LOGIN PASSWORD '${serviceRole.password}';
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END $$`);
    const { folder, rights } = this.#schema;
    await migrate(new Secret(this.#server.url(name)), folder, { role: serviceRole.name, rights });
    return name;
  }

  async #query(text: string): Promise<void> {
    const client = new Client({ connectionString: this.#server.adminUrl });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  }
}
