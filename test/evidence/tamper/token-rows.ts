import pg from 'pg';

import type { Random } from '../report/random.ts';
import type { Tally } from '../report/tally.ts';
import type { TamperStage, Teller } from './stage.ts';

interface Column {
  readonly name: string;
  /** As SQL names it. */
  readonly type: string;
}

interface Rows {
  readonly stage: TamperStage;
  readonly client: pg.Client;
  readonly columns: readonly Column[];
  readonly tally: Tally;
}

type Row = Readonly<Record<string, string | null>>;

/**
 * Changes every byte of every column of a stored token, and takes columns over from another token, another tenant's, and an
 * earlier version, alone and in pairs.
 *
 * @param share of the cases that are tried, from 0 to 1
 */
export async function tamperWithRows(
  stage: TamperStage,
  tally: Tally,
  random: Random,
  share: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: stage.vaultDatabase });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Column>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
        WHERE attrelid = 'token'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    );
    const rows: Rows = { stage, client, columns, tally };
    await changeBytes(rows, random, share);
    await takeOver(rows, random, share);
  } finally {
    await client.end();
  }
}

/** One that fills every column that the API can fill. */
export const fullToken = (number: string): object => ({
  type: 'card',
  data: { number, expiration_month: 12, expiration_year: 2035, cvc: '123' },
  mask: { number: '{{ data.number | reveal_last: 4 }}' },
  metadata: { order: '17' },
  search_indexes: ['{{ data.number }}'],
  expires_at: '2036-01-01T00:00:00Z',
});

async function changeBytes(rows: Rows, random: Random, share: number): Promise<void> {
  const { stage, columns, tally } = rows;
  const id = await stage.own.token(fullToken('4242424242424242'));
  const stored = await read(rows, id);
  const asked = await stage.own.ask(id);
  for (const { name, type } of columns) {
    const value = stored[name] ?? null;
    const changes = value === null ? [] : changesOf(value, type, random);
    for (const changed of changes.filter(() => random.next() < share)) {
      const outcome = await outcomeOf(rows, id, { ...stored, [name]: changed }, asked);
      tally.note('a byte of a stored token', outcome, problemOf(outcome, [name], `= ${changed}`));
    }
  }
  await expectUntouched(stage.own, id, asked);
}

/** The value with one of its bytes changed: as text, and the bytes themselves of what is binary. */
function changesOf(value: string, type: string, random: Random): string[] {
  const isBinary = type === 'bytea';
  const bytes = isBinary ? Buffer.from(value.slice(2), 'hex') : Buffer.from(value);
  return Array.from(bytes, (byte, at) => {
    const changed = Buffer.from(bytes);
    // Of text only the low bits, so that it stays text.
    changed[at] = byte ^ (1 << random.below(isBinary ? 8 : 3));
    return isBinary ? `\\x${changed.toString('hex')}` : changed.toString();
  });
}

async function takeOver(rows: Rows, random: Random, share: number): Promise<void> {
  const { stage, columns, tally } = rows;
  const id = await stage.own.token(fullToken('4012888888881881'));
  const earlier = await read(rows, id);
  await stage.own.change(id, { data: { number: '5555555555554444' }, metadata: { order: '18' } });
  const stored = await read(rows, id);
  const asked = await stage.own.ask(id);
  const sources: Readonly<Record<string, Row>> = {
    'of an earlier version': earlier,
    'of another token': await read(rows, await stage.own.token(fullToken('378282246310005'))),
    "of another tenant's token": await read(rows, await stage.other.token(fullToken('378282246310005'))),
  };
  const names = columns.map(({ name }) => name);
  const combinations = names.flatMap((one, at) => [
    [one],
    ...names.slice(at + 1).map((other) => [one, other]),
  ]);
  // Everything but what names the row: the whole of the other's content under this name.
  combinations.push(
    names.filter((name) => name !== 'id'),
    names.filter((name) => name !== 'id' && name !== 'tenant_id'),
  );
  for (const [source, row] of Object.entries(sources)) {
    for (const taken of combinations.filter(() => random.next() < share)) {
      const changed = { ...stored, ...Object.fromEntries(taken.map((name) => [name, row[name] ?? null])) };
      // A whole earlier row authenticates: audit verify finds it (docs/threat-model.md).
      if (names.every((name) => changed[name] === earlier[name])) continue;
      const outcome = await outcomeOf(rows, id, changed, asked);
      tally.note(`columns ${source}`, outcome, problemOf(outcome, taken));
    }
  }
  await expectUntouched(stage.own, id, asked);
}

type Outcome =
  | 'refused: integrity_violation'
  | 'the very same answer'
  | 'nothing there any more'
  | 'not storable'
  | `another answer: ${string}`;

/** What its owner is answered while the row is like that. */
async function outcomeOf(
  { client, columns, stage }: Rows,
  id: string,
  changed: Row,
  asked: string,
): Promise<Outcome> {
  const assignments = columns.map(({ name, type }, at) => `${name} = $${at + 2}::${type}`).join(', ');
  const values = columns.map(({ name }) => changed[name] ?? null);
  const before = await read({ client, columns }, id);
  try {
    await client.query(`UPDATE token SET ${assignments} WHERE id = $1`, [id, ...values]);
  } catch {
    return 'not storable';
  }
  const { own, other } = stage;
  const asks = [own.ask(id), other.ask(id), ...(changed['id'] === id ? [] : [own.ask(changed['id'] ?? '')])];
  const answers = await Promise.allSettled(asks);
  const restored = await client.query(
    `UPDATE token SET ${assignments} WHERE id = $1 AND tenant_id = $${columns.length + 2}::uuid`,
    [changed['id'], ...columns.map(({ name }) => before[name] ?? null), changed['tenant_id']],
  );
  if (restored.rowCount !== 1) throw new Error(`${restored.rowCount} rows were restored`);
  const texts = answers.map((answer) =>
    answer.status === 'fulfilled' ? answer.value : String(answer.reason),
  );
  return judge(texts, asked);
}

const isAbsent = (answer: string) => answer.startsWith('404');

function judge(answers: readonly string[], asked: string): Outcome {
  const there = answers.filter((answer) => !isAbsent(answer));
  if (there.length === 0) return 'nothing there any more';
  const other = there.find((answer) => answer !== asked && !answer.includes('"integrity_violation"'));
  if (other !== undefined) return `another answer: ${other}`;
  return there.includes(asked) ? 'the very same answer' : 'refused: integrity_violation';
}

/** Under another name or of another tenant it is not there; else it must not vanish unnoticed. */
function problemOf(outcome: Outcome, changed: readonly string[], how = ''): string | undefined {
  const isMoved = changed.includes('id') || changed.includes('tenant_id');
  const isFine = !outcome.startsWith('another answer') && (outcome !== 'nothing there any more' || isMoved);
  return isFine ? undefined : `${changed.join(', ')} ${how}`;
}

async function read({ client, columns }: Pick<Rows, 'client' | 'columns'>, id: string): Promise<Row> {
  const list = columns.map(({ name }) => `${name}::text`).join(', ');
  const { rows } = await client.query(`SELECT ${list} FROM token WHERE id = $1`, [id]);
  if (rows.length !== 1) throw new Error(`there is no token ${id}`);
  return rows[0] as Row;
}

async function expectUntouched(teller: Teller, id: string, asked: string): Promise<void> {
  const answer = await teller.ask(id);
  if (answer !== asked) throw new Error(`the row was not restored: ${answer}`);
}
