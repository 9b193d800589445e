import { createHash, randomBytes } from 'node:crypto';

import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { createGuardedDispatcher } from '@glovebox/egress/guarded-dispatcher';
import { guardedFetch } from '@glovebox/egress/guarded-fetch';
import type { Secret } from '@glovebox/platform/values/secret';
import * as oidc from 'openid-client';

import { type Person, personOf } from './person.ts';

export interface ProviderOptions {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: Secret<string>;
  /** Where the provider leads back to. */
  readonly redirectUri: string;
  readonly egressPolicy: EgressPolicy;
}

/** An identity provider that speaks OpenID Connect (OpenID Connect Core 1.0, with PKCE: RFC 7636). */
export interface IdentityProvider extends AsyncDisposable {
  /** Where the browser goes to sign in. @param secret of this sign-in, which only the browser keeps */
  signInUrl(secret: string): Promise<URL>;
  /**
   * The person that the provider has signed in.
   * @param secret the same as of `signInUrl`
   * @param answer the query with which the browser came back
   * @throws what openid-client throws: the provider refused, or the answer or the token is not right
   */
  finish(secret: string, answer: URLSearchParams): Promise<Person>;
  /** Where the browser goes to sign out there too, if the provider has such a page. */
  signOutUrl(returnTo: string): Promise<string | undefined>;
}

/** The clocks of the provider and of this service may differ by so much. */
const clockToleranceSeconds = 30;
const timeoutSeconds = 10;
/** The provider may move its endpoints; its keys are read anew for every sign-in. */
const metadataKeptMs = 300_000;

/**
 * What a sign-in needs later is derived from one secret in the browser's cookie, so nothing is kept here: the state and
 * the nonce show only hashes of it, and a callback without the cookie is worth nothing.
 */
export function secretsOf(secret: string) {
  const derive = (purpose: string) => createHash('sha256').update(`${purpose} ${secret}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('verifier') };
}

export function newSignInSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function createProvider(options: ProviderOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, redirectUri, egressPolicy } = options;
  const dispatcher = createGuardedDispatcher({ policy: egressPolicy });
  const customFetch = guardedFetch(dispatcher) as unknown as oidc.CustomFetch;
  const metadata = { client_secret: clientSecret.reveal(), [oidc.clockTolerance]: clockToleranceSeconds };
  const isLocal = issuer.protocol === 'http:' && egressPolicy.profile === 'development';
  const prepare = (config: oidc.Configuration) => {
    config[oidc.customFetch] = customFetch;
    config.timeout = timeoutSeconds;
    oidc.enableNonRepudiationChecks(config);
    if (isLocal) oidc.allowInsecureRequests(config);
    return config;
  };
  const discover = async () => {
    const execute = isLocal ? { execute: [oidc.allowInsecureRequests] } : {};
    const discovery = { ...execute, [oidc.customFetch]: customFetch, timeout: timeoutSeconds };
    return (await oidc.discovery(issuer, clientId, metadata, undefined, discovery)).serverMetadata();
  };
  const server = keptFor(metadataKeptMs, discover);
  const configuration = async () =>
    prepare(new oidc.Configuration({ ...(await server()) }, clientId, metadata));

  return {
    async signInUrl(secret) {
      const { state, nonce, codeVerifier } = secretsOf(secret);
      return oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async finish(secret, answer) {
      const { state: expectedState, nonce: expectedNonce, codeVerifier } = secretsOf(secret);
      // The host is a setting's, whatever the request says.
      const url = new URL(redirectUri);
      url.search = answer.toString();
      const tokens = await oidc.authorizationCodeGrant(await configuration(), url, {
        pkceCodeVerifier: codeVerifier,
        expectedState,
        expectedNonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the provider gave no ID token');
      return personOf(claims);
    },
    async signOutUrl(returnTo) {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
    },
    [Symbol.asyncDispose]: () => dispatcher.close(),
  };
}

/** Keeps what was read for so long; a failure is not kept. */
function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly since: number } | undefined;
  return () => {
    if (kept === undefined || Date.now() - kept.since > ms) {
      const value = read();
      kept = { value, since: Date.now() };
      value.catch(() => {
        kept = undefined;
      });
    }
    return kept.value;
  };
}
