import { type KeyObject, createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Configuration, type JWK, Provider } from 'oidc-provider';

/** What the provider says of somebody. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

type Tamper = (claims: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** A real identity provider on loopback, with accounts that need no password. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is in front of the browser. */
  account: Claims;
  /** Changes the next ID tokens, and signs them again. */
  tamper: Tamper | undefined;
  /** From now on tokens are signed by another key, and only that one is published. */
  rotateKey(): void;
  /** From now on tokens are signed by a key that is not published. */
  forgeKey(): void;
}

interface SigningKey {
  readonly id: string;
  readonly key: KeyObject;
  readonly jwk: object;
}

let keys = 0;

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = `key-${++keys}`;
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' };
  return { id, key: privateKey, jwk };
}

export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'glovebox', clientSecret: 'a-secret-of-the-console' };
  const first = newKey();
  let published = first;
  let signing = first;
  const own: TestProvider = {
    issuer,
    ...client,
    account: { sub: 'nobody' },
    tamper: undefined,
    rotateKey() {
      published = signing = newKey();
    },
    forgeKey() {
      signing = { ...newKey(), id: published.id };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(issuer, configurationOf(own, redirectUri, first));
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path === '/jwks') ctx.body = { keys: [published.jwk] };
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path !== '/token' || body?.id_token === undefined) return;
    const claims = JSON.parse(
      Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    ctx.body = { ...body, id_token: sign({ ...(own.tamper ?? same)({ ...claims }) }, signing) };
  });
  const serve = provider.callback();
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    // The person in front of the browser agrees to everything.
    if (url.pathname.startsWith('/interaction/')) {
      const login = { login: { accountId: own.account.sub } };
      void provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false });
      return;
    }
    void serve(request, response);
  });
  return own;
}

const same: Tamper = (claims) => claims;

function configurationOf(own: TestProvider, redirectUri: string, first: SigningKey): Configuration {
  return {
    clients: [{ client_id: own.clientId, client_secret: own.clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...first.key.export({ format: 'jwk' }), kid: first.id, use: 'sig' } as JWK] },
    cookies: { keys: ['a-key'] },
    claims: {
      openid: ['sub', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...own.account, sub }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

function sign(claims: object, { id, key }: SigningKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: id })}.${encode(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}
