import { randomBytes } from 'node:crypto';

import type { RunningPostgres } from '@glovebox/local/postgres';
import { migrate } from '@glovebox/platform/db/migrate';
import { Secret } from '@glovebox/platform/values/secret';
import { Client } from 'pg';

/** Databases in which all migrations have run: copies of one, which takes a quarter of the time. */
export class MigratedDatabases {
  readonly #server: RunningPostgres;
  readonly #migrationsFolder: string;
  #template: Promise<string> | undefined;

  constructor(server: RunningPostgres, migrationsFolder: string) {
    this.#server = server;
    this.#migrationsFolder = migrationsFolder;
  }

  async create(name: string): Promise<void> {
    this.#template ??= this.#makeTemplate();
    await this.#query(`CREATE DATABASE ${name} TEMPLATE ${await this.#template}`);
  }

  async #makeTemplate(): Promise<string> {
    const name = `template_${randomBytes(6).toString('hex')}`;
    await this.#query(`CREATE DATABASE ${name}`);
    await migrate(new Secret(this.#server.url(name)), this.#migrationsFolder);
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
