import { readBaseUrl } from './base-url.ts';
import { type CallOptions, Client, type Send, type SendRaw } from './client.ts';
import { unconverted } from './conversion.ts';
import { type Fetch, fetchTransport } from './fetch-transport.ts';
import { retrying } from './retry.ts';
import { ApplicationKeys } from './services/application-keys.ts';
import { ApplicationTemplates } from './services/application-templates.ts';
import { Applications } from './services/applications.ts';
import { Invocations } from './services/invocations.ts';
import { Keys } from './services/keys.ts';
import { Logs } from './services/logs.ts';
import { Permissions } from './services/permissions.ts';
import { Proxies } from './services/proxies.ts';
import { ProxyService } from './services/proxy.ts';
import { ReactorFormulas } from './services/reactor-formulas.ts';
import { Reactors } from './services/reactors.ts';
import { Sessions } from './services/sessions.ts';
import { Tenants } from './services/tenants.ts';
import { TokenIntents } from './services/token-intents.ts';
import { TokensV2 } from './services/tokens-v2.ts';
import { Tokens } from './services/tokens.ts';
import { Webhooks } from './services/webhooks.ts';
import type { Transport } from './transport.ts';
import { type AppInfo, userAgentHeaders } from './user-agent.ts';
import type { OnWarning } from './warnings.ts';

export { GloveboxApiError } from './api-error.ts';

export interface GloveboxOptions {
  /** The address of the API; required unless there is a transport. https, or http on this machine. */
  readonly apiBaseUrl?: string | undefined;
  /** Allows http to other machines, e.g. inside a cluster. */
  readonly allowHttp?: boolean | undefined;
  readonly appInfo?: AppInfo | undefined;
  /** Of one attempt, until the whole response has arrived. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** See retry.ts. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Gets each warning of an answer, such as an unknown property with the name that was probably meant. */
  readonly onWarning?: OnWarning | undefined;
  /** Sends the requests instead of `fetch`; all other options but `onWarning` are then ignored. */
  readonly transport?: Transport | undefined;
}

const defaultTimeoutMs = 60_000;
const defaultRetries = 2;

/**
 * The client of the data-protection service. Each method rejects with GloveboxApiError when its call fails.
 * @example
 * const glovebox = await new Glovebox().init('key_…', { apiBaseUrl: 'https://vault.example.com' });
 * const token = await glovebox.tokens.create({ type: 'token', data: 'secret' });
 */
export class Glovebox {
  readonly tokens: Tokens;
  readonly tokensV2: TokensV2;
  readonly tokenIntents: TokenIntents;
  readonly applications: Applications;
  readonly applicationKeys: ApplicationKeys;
  readonly applicationTemplates: ApplicationTemplates;
  readonly permissions: Permissions;
  readonly keys: Keys;
  readonly invocations: Invocations;
  readonly logs: Logs;
  readonly reactorFormulas: ReactorFormulas;
  readonly reactors: Reactors;
  readonly proxies: Proxies;
  readonly proxy: ProxyService;
  readonly sessions: Sessions;
  readonly tenants: Tenants;
  readonly webhooks: Webhooks;
  readonly #send: Send;
  #client: Client | undefined;

  constructor() {
    const send: Send = async <Result>(...call: Parameters<Send>) =>
      (await this.#initialised().send(...call)) as Result;
    const sendRaw: SendRaw = async (...call) => this.#initialised().sendRaw(...call);
    this.#send = send;
    this.tokens = new Tokens(send);
    this.tokensV2 = new TokensV2(send);
    this.tokenIntents = new TokenIntents(send);
    this.applications = new Applications(send);
    this.applicationKeys = new ApplicationKeys(send);
    this.applicationTemplates = new ApplicationTemplates(send);
    this.permissions = new Permissions(send);
    this.keys = new Keys(send);
    this.invocations = new Invocations(send, sendRaw);
    this.logs = new Logs(send, sendRaw);
    this.reactorFormulas = new ReactorFormulas(send);
    this.reactors = new Reactors(send);
    this.proxies = new Proxies(send);
    this.proxy = new ProxyService(sendRaw);
    this.sessions = new Sessions(send);
    this.tenants = new Tenants(send);
    this.webhooks = new Webhooks(send);
  }

  /**
   * Await this once, before any other call.
   * @param apiKey may be omitted with a transport that authenticates
   * @throws TypeError for invalid options
   */
  async init(apiKey: string | undefined, options: GloveboxOptions = {}): Promise<this> {
    if (this.#client !== undefined) throw new Error('This instance is initialised already.');
    if (options.transport === undefined && (typeof apiKey !== 'string' || apiKey === '')) {
      throw new TypeError('An API key is required.');
    }
    this.#client = new Client(apiKey, options.transport ?? defaultTransport(options), options.onWarning);
    return this;
  }

  /** Replaces every value in any JSON by a token. Neither the request nor the response is converted. */
  tokenize<Result = unknown>(payload: unknown, options?: CallOptions): Promise<Result> {
    const shape = { sent: unconverted, received: unconverted };
    return this.#send({ method: 'POST', path: '/tokenize/', body: payload, ...shape }, options);
  }

  /** Replaces every expression `{{ … }}` in any JSON by its token's data. Nothing is converted here either. */
  detokenize<Result = unknown>(payload: unknown, options?: CallOptions): Promise<Result> {
    const shape = { sent: unconverted, received: unconverted };
    return this.#send({ method: 'POST', path: '/detokenize', body: payload, ...shape }, options);
  }

  /** Leaves the instance out of JSON. */
  toJSON(): undefined {
    return undefined;
  }

  #initialised(): Client {
    if (this.#client !== undefined) return this.#client;
    throw new Error('This instance is not initialised: await init(apiKey, options) first.');
  }
}

function defaultTransport(options: GloveboxOptions): Transport {
  const { timeoutMs = defaultTimeoutMs, maxRetries = defaultRetries } = options;
  const { fetch: globalFetch }: { fetch?: Fetch } = globalThis;
  const fetch = options.fetch ?? globalFetch;
  if (fetch === undefined) {
    throw new TypeError('There is no global fetch here: set the option fetch or transport.');
  }
  const transport = fetchTransport({
    baseUrl: readBaseUrl(options.apiBaseUrl, options.allowHttp === true),
    timeoutMs,
    fetch: (url, init) => fetch(url, init),
    headers: userAgentHeaders(options.appInfo),
  });
  return retrying(transport, maxRetries);
}
