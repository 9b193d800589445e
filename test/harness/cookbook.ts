import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { type Answer, type Json, apiOf } from './api.ts';
import { type Destination, startDestination } from './destination.ts';
import { packagesAreReady } from './packages-are-ready.ts';
import { sharedSystem } from './system.ts';

export const number = '4242424242424242';
export const card = { number, expiration_month: 12, expiration_year: 2030 };
export const person = { name: 'Ann Mary Lee', born: '1980-05-17', phone: '+15005550009' };
export const photo = Buffer.from('\u0089PNG, a photo', 'latin1');
export const threeDS = {
  eci: '05',
  cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
  version: '2.2.0',
  ds_transaction_id: 'd-1',
};

/** What a recipe in docs/cookbook is made of. */
export interface Recipe {
  /** `proxy.json` or `reactor.json`, `transform.js` or `reactor.js`, and `request.json`. */
  readonly blocks: ReadonlyMap<string, string>;
  /** The code in its own file, and the name of that; undefined in a recipe without code. */
  readonly code: string | undefined;
  readonly file: string | undefined;
}

export function readRecipe(recipe: string): Recipe {
  const folder = join(checkout, 'docs/cookbook', recipe);
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  const blocks = new Map(
    [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, file = '', text = '']) => [file, text]),
  );
  const file = ['transform.js', 'reactor.js'].find((name) => existsSync(join(folder, name)));
  return { blocks, file, code: file === undefined ? undefined : readFileSync(join(folder, file), 'utf8') };
}

/**
 * Makes the proxy or reactor that a page describes, and sends its request.
 * @param values stand for `<name>` in the page
 */
export async function cook(
  name: string,
  api: ReturnType<typeof apiOf>,
  key: string,
  values: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { blocks, file, code } = readRecipe(name);
  const filled = (block: string): Json => {
    const known: Readonly<Record<string, string | undefined>> = { ...values, ...(file && { [file]: code }) };
    const text = (blocks.get(block) ?? '').replaceAll(/<([a-z_. ]+)>/g, (_, placeholder: string) => {
      const value = known[placeholder];
      if (value === undefined) throw new Error(`${name}: nothing stands for <${placeholder}>`);
      return JSON.stringify(value).slice(1, -1);
    });
    return JSON.parse(text);
  };
  const body = filled('request.json');
  if (blocks.has('proxy.json')) {
    const proxy = await made(api, '/proxies', filled('proxy.json'));
    return api.invoke(proxy.key, 'POST', '', { key, body });
  }
  const reactor = await made(api, '/reactors', filled('reactor.json'));
  return api.send('POST', `/reactors/${reactor.id}/react`, { key, body });
}

async function made(api: ReturnType<typeof apiOf>, path: string, body: Json): Promise<Json> {
  const { status, text, json } = await api.manage('POST', path, body);
  if (status !== 201) throw new Error(`expected 201, got ${status}: ${text}`);
  return json;
}

/** What recipes need: the shared system, a destination for all of them, and tokens for what pages name. */
export function cookbookStory() {
  let api: ReturnType<typeof apiOf>;
  let key: string;
  let destination: Destination;
  let values: Readonly<Record<string, string>>;

  before(async function () {
    this.timeout(180_000);
    const system = await sharedSystem();
    await packagesAreReady(system);
    api = apiOf(system);
    key = system.dev.private_api_key;
    destination = await startDestination();
    const permissions = ['token:create', 'token:update'];
    values = {
      destination: destination.url,
      application: (await api.application({ name: 'cookbook', type: 'private', permissions })).id,
      card: await api.token({ type: 'card', data: card }),
      account: await api.token({ type: 'us_bank_account_number', data: '1234567890' }),
      person: await api.token({ type: 'token', data: person }),
      ssn: await api.token({ type: 'social_security_number', data: '123-45-6789' }),
      photo: await api.token({ type: 'token', data: photo.toString('base64') }),
      authentication: await api.token({ type: 'token', data: threeDS }),
    };
  });
  after(() => destination[Symbol.asyncDispose]());
  beforeEach(() => {
    destination.received.length = 0;
  });

  const received = () => {
    expect(destination.received).to.have.length(1);
    const { url, headers, body } = destination.received[0]!;
    return { url, headers, body, text: body.toString() };
  };
  return {
    get api() {
      return api;
    },
    get key() {
      return key;
    },
    get destination() {
      return destination;
    },
    get values() {
      return values;
    },
    /** Follows a recipe that succeeds. @returns the answer */
    async run(name: string, more: Readonly<Record<string, string>> = {}): Promise<Json> {
      const answer = await cook(name, api, key, { ...values, ...more });
      expect(answer.status, answer.text).to.equal(200);
      return answer.json;
    },
    /** What the destination answers from now on. */
    answers(body: object): void {
      destination.answer = (_received, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      };
    },
    /** The one request that the destination has received. */
    received,
    receivedJson: (): Json => JSON.parse(received().text),
  };
}
