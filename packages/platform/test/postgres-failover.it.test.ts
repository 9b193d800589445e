import { type RunningPostgres, startPostgres } from '@glovebox/local/postgres';
import { expect } from 'chai';
import pg from 'pg';

import { type Postgres, createPostgres } from '../src/db/postgres.ts';
import { type AppError } from '../src/errors/app-error.ts';
import { Secret } from '../src/values/secret.ts';

/** On a real server, whose sessions are read-only for a while, as those are that stay on what was the primary. */
describe('a pool of connections to a Postgres that becomes a replica', () => {
  let server: RunningPostgres;
  let postgres: Postgres;
  let admin: pg.Client;

  before(async () => {
    server = await startPostgres({ ephemeral: true });
    admin = new pg.Client({ connectionString: server.adminUrl });
    await admin.connect();
    await admin.query('CREATE DATABASE failover');
    postgres = createPostgres({
      url: new Secret(server.url('failover')),
      maxConnections: 1,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      applicationName: 'test',
      onError: () => undefined,
    });
  });
  after(async () => {
    await postgres[Symbol.asyncDispose]();
    await admin.end();
    await server.stop();
  });

  const readOnly = (is: 'on' | 'off') =>
    admin.query(`ALTER DATABASE failover SET default_transaction_read_only = ${is}`);

  it('says that it is not there, and gives the connection up, so that the next one leads to the primary', async () => {
    await readOnly('on');
    const write = () =>
      postgres.transaction((tx) => tx.query('make', 'CREATE TABLE IF NOT EXISTS made (x int)'));
    const failure = await write().then(
      () => undefined,
      (error: AppError) => error.code,
    );
    expect(failure).to.equal('unavailable');
    await readOnly('off');
    await write();
    expect(await postgres.query('look', 'SELECT FROM made')).to.deep.equal([]);
  });
});
