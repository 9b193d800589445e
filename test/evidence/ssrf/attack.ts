import { createReactor } from '../../harness/reactor-story.ts';
import { until } from '../../harness/until.ts';
import { type Random, randomOf } from '../report/random.ts';
import { Tally } from '../report/tally.ts';
import type { SsrfStage } from './stage.ts';
import { type Vector, resolvedVectors, spelledVectors } from './vectors.ts';

/** A saved proxy's destination is named. */
const deniedByRules = /The destination( [\w.-]+:\d+)? is not one that requests may be sent to/;
const urlsOfOneRun = 8;

interface Attack {
  readonly stage: SsrfStage;
  readonly tally: Tally;
  readonly random: Random;
  /** How many of a list are tried. */
  readonly most: number;
}

/** Tries every door with every vector, or with a sample of them. */
export async function attack(stage: SsrfStage, seed: number, most = Infinity): Promise<Tally> {
  const all: Attack = { stage, tally: new Tally(), random: randomOf(seed), most };
  await spelledOut(all);
  await resolved(all);
  await rebound(all);
  await deliveries(all);
  await fromCode(all);
  for (const breach of stage.breaches) all.tally.failures.push(breach);
  return all.tally;
}

/** URLs that are refused for what they say, wherever a URL is taken. */
async function spelledOut({ stage: { api, system, port }, tally, random, most }: Attack): Promise<void> {
  const key = system.dev.private_api_key;
  const reactor = await createReactor(api, '() => ({ raw: 1 })');
  const doors: Readonly<Record<string, (url: string) => Promise<string | undefined>>> = {
    'saved in a proxy': async (url) => {
      const { status, json, text } = await api.manage('POST', '/proxies', {
        name: 'x',
        destination_url: url,
      });
      return status === 400 && json.errors?.destination_url ? undefined : `${url} got ${status} ${text}`;
    },
    'saved in a webhook': async (url) => {
      const hook = { name: 'x', url, events: ['reactor.completed'] };
      const { status, json, text } = await api.manage('POST', '/webhooks', hook);
      return status === 400 && json.errors?.url ? undefined : `${url} got ${status} ${text}`;
    },
    'sent with a request': async (url) => {
      const { status, json, text } = await api.send('GET', '/proxy', {
        key,
        headers: { 'SVC-PROXY-URL': url },
      });
      return status === 400 && json.proxy_error ? undefined : `${url} got ${status} ${text}`;
    },
    'a callback': async (url) => {
      const body = { args: {}, callback_url: url };
      const { status, text } = await api.send('POST', `/reactors/${reactor.id}/react`, { key, body });
      return status === 400 && text.includes('callback_url') ? undefined : `${url} got ${status} ${text}`;
    },
  };
  for (const [door, refuse] of Object.entries(doors)) {
    const isSendable = ({ url }: Vector) => door !== 'sent with a request' || /^[!-~]+$/.test(url);
    for (const { kind, url } of random.sample(spelledVectors(port).filter(isSendable), most))
      tally.note(door, kind, await refuse(url));
  }
}

/** Names of which a name server says what they mean. */
async function resolved({ stage, tally, random, most }: Attack): Promise<void> {
  for (const [at, { kind, records }] of random.sample(resolvedVectors(), most).entries()) {
    const host = `sent${at}.ssrf.example`;
    stage.names.set(host, records);
    tally.note('sent with a request', kind, await deniedProblem(stage, host, records));
  }
  const saved = random.sample(resolvedVectors(), Math.min(most, 12));
  for (const [at, { kind, records }] of saved.entries()) {
    const host = `saved${at}.ssrf.example`;
    stage.names.set(host, records);
    const { key } = await stage.api.proxy(`https://${host}:${stage.port}`);
    const answer = await stage.api.invoke(key, 'GET', '/');
    tally.note(
      'sent by a saved proxy',
      kind,
      isDenied(answer) ? undefined : `${records.join()} got ${answer.text}`,
    );
  }
  const { status, headers } = await sendTo(stage, 'redirects.destination.test');
  const passedOn = status === 307 && stage.names.askedFor('inside.destination.test') === 0;
  tally.note(
    'sent with a request',
    'a redirect to a forbidden name',
    passedOn ? undefined : `got ${status}, ${String(headers['location'])}`,
  );
  const allowed = await sendTo(stage, 'allowed.destination.test');
  tally.note(
    'sent with a request',
    'what is allowed, which has to arrive',
    allowed.status === 200 ? undefined : `got ${allowed.status} ${allowed.text}`,
  );
}

/** Names that mean something else each time, and names that mean several things at once. */
async function rebound({ stage, tally, most }: Attack): Promise<void> {
  const { names } = stage;
  const good = ['127.0.0.2'];
  for (const bad of ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'].slice(0, most)) {
    const host = `rebinds${bad.replaceAll(/\W/g, '-')}.destination.test`;
    // 10.0.0.1 would be opened for names that the operator lists.
    const inside = bad === '10.0.0.1' ? '127.9.9.9' : bad;
    names.set(host, good, [inside], good, [inside], [inside]);
    for (const [round, wanted] of [200, 502, 200, 502, 502].entries()) {
      const answer = await sendTo(stage, host);
      const right = answer.status === wanted && (wanted === 200 || isDenied(answer));
      tally.note(
        'sent with a request',
        'a name that is bound again (TTL 0)',
        right ? undefined : `${inside}, round ${round}: ${answer.status} ${answer.text}`,
      );
    }
    const mixed = `mixed${bad.replaceAll(/\W/g, '-')}.destination.test`;
    names.set(mixed, [inside, ...good, '169.254.169.254', '::1']);
    const answer = await sendTo(stage, mixed);
    tally.note(
      'sent with a request',
      'allowed and forbidden addresses at once: only the allowed one is dialled',
      answer.status === 200 ? undefined : `${answer.status} ${answer.text}`,
    );
  }
}

/** Webhooks and callbacks, which are sent later. */
async function deliveries({ stage, tally, random, most }: Attack): Promise<void> {
  const { api, names, port, system, arrived } = stage;
  const reactor = await createReactor(api, '() => ({ raw: 1 })');
  const url = (host: string) => `https://${host}:${port}/told`;
  const told = random.sample(resolvedVectors(), Math.min(most, 40));
  const hosts = told.map(({ records }, at) => {
    names.set(`hook${at}.ssrf.example`, records);
    names.set(`callback${at}.ssrf.example`, records);
    return at;
  });
  const hooks = [
    ...hosts.map((at) => `hook${at}.ssrf.example`),
    'redirects.destination.test',
    'allowed.destination.test',
  ];
  for (const host of hooks) {
    const { status, text } = await api.manage('POST', '/webhooks', {
      name: host,
      url: url(host),
      events: ['reactor.completed'],
    });
    if (status !== 201) throw new Error(`${host}: ${text}`);
  }
  const callbacks = [
    ...hosts.map((at) => `callback${at}.ssrf.example`),
    'redirects.destination.test',
    'allowed.destination.test',
  ];
  for (const host of callbacks) {
    await api.send('POST', `/reactors/${reactor.id}/react`, {
      key: system.dev.private_api_key,
      body: { args: {}, callback_url: url(host) },
    });
  }
  const came = (host: string) => arrived.filter((target) => target === `${host}:${port}/told`).length;
  for (const host of [...hooks, ...callbacks].filter((name) => name.endsWith('.ssrf.example')))
    await until(`${host} is looked up`, () => names.askedFor(host) > 0, 60_000);
  // A webhook and a callback.
  for (const host of ['redirects.destination.test', 'allowed.destination.test'])
    await until(`${host} was told`, () => came(host) >= 2, 60_000);
  for (const { kind } of told) {
    tally.note('told by a webhook', kind);
    tally.note('told by a callback', kind);
  }
  const followed = names.askedFor('inside.destination.test');
  for (const door of ['told by a webhook', 'told by a callback']) {
    const problem = followed === 0 ? undefined : 'the redirect was followed';
    tally.note(door, 'a redirect to a forbidden name', problem);
    tally.note(door, 'what is allowed, which has to arrive');
  }
}

/** URLs that tenants' code asks for by the clients that it has. */
async function fromCode({ stage: { api, port, system }, tally, random, most }: Attack): Promise<void> {
  const code = `async ({ args: { urls } }) => ({ raw: await Promise.all(urls.map((url) => new Promise((resolve) => {
    try {
      require(url.startsWith('http:') ? 'http' : 'https')
        .get(url, (response) => { response.resume(); resolve('an answer, ' + response.statusCode); })
        .on('error', ({ code, message }) => resolve(code ?? message));
    } catch ({ code, message }) { resolve(code ?? message); }
  }))) })`;
  const reactor = await createReactor(api, code);
  const vectors = random.sample(
    spelledVectors(port).filter(({ kind }) => !kind.startsWith('ports') && !kind.startsWith('hosts')),
    most,
  );
  for (let at = 0; at < vectors.length; at += urlsOfOneRun) {
    const some = vectors.slice(at, at + urlsOfOneRun);
    const { json, text } = await api.send('POST', `/reactors/${reactor.id}/react`, {
      key: system.dev.private_api_key,
      body: { args: { urls: some.map(({ url }) => url) } },
    });
    for (const [index, { kind, url }] of some.entries()) {
      const outcome = String(json.raw?.[index] ?? text);
      tally.note('asked for by code', kind, refusals.test(outcome) ? undefined : `${url}: ${outcome}`);
    }
  }
}

/** The rules refuse it (EACCES), or it is no URL that Node's client takes, or a name that does not exist. */
const refusals =
  /^(EACCES|ERR_INVALID_URL|ERR_INVALID_PROTOCOL|ERR_UNESCAPED_CHARACTERS|ENOTFOUND|EAI_AGAIN)$/;

const sendTo = ({ api, system, port }: SsrfStage, host: string) =>
  api.send('GET', '/proxy', {
    key: system.dev.private_api_key,
    headers: { 'SVC-PROXY-URL': `https://${host}:${port}` },
  });

const isDenied = ({ status, text }: { status: number; text: string }) =>
  status === 502 && deniedByRules.test(text);

async function deniedProblem(
  stage: SsrfStage,
  host: string,
  records: readonly string[],
): Promise<string | undefined> {
  const answer = await sendTo(stage, host);
  return isDenied(answer) ? undefined : `${records.join()} got ${answer.status} ${answer.text}`;
}
