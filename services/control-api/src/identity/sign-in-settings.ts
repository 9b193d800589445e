import { flag, optional, string } from '@glovebox/platform/settings/builders';
import { type NoteProblem, derived } from '@glovebox/platform/settings/setting';
import { Secret } from '@glovebox/platform/values/secret';

import { roleGrants } from './roles-table.ts';

const declared = {
  consoleUrl: string(
    'CONSOLE_URL',
    'Where browsers reach the `/console` of control-api, for the way back from the identity provider',
    'http://localhost:8080/console',
  ),
  withKeys: flag(
    'CONSOLE_KEY_SIGN_IN',
    'Whether the holder of a management key may sign in to the console with it',
    false,
  ),
  issuer: optional('OIDC_ISSUER', 'The identity provider of the console (OpenID Connect); empty: none'),
  clientId: optional('OIDC_CLIENT_ID', 'The console there', 'for OIDC_ISSUER'),
  clientSecret: optional('OIDC_CLIENT_SECRET', 'Its secret there', 'for OIDC_ISSUER'),
  grants: roleGrants,
};

/** How people sign in to the console. */
export const signInSettings = derived(declared, (values, problem) => ({
  consoleUrl: consoleUrlOf(values.consoleUrl, problem),
  withKeys: values.withKeys,
  grants: values.grants,
  provider: providerOf(values, problem),
}));

function consoleUrlOf(text: string, problem: NoteProblem): string {
  const url = text.replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s?#/]+\/console$/.test(url) || !URL.canParse(url))
    problem('CONSOLE_URL must be a URL that starts with https:// or http:// and has the path /console');
  return url;
}

function providerOf(
  {
    issuer,
    clientId,
    clientSecret,
  }: Readonly<Record<'issuer' | 'clientId' | 'clientSecret', string | undefined>>,
  problem: NoteProblem,
) {
  if (issuer === undefined) return undefined;
  if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer)) problem('OIDC_ISSUER must be an https:// URL');
  if (clientId === undefined) problem('OIDC_CLIENT_ID is required for OIDC_ISSUER');
  if (clientSecret === undefined) problem('OIDC_CLIENT_SECRET is required for OIDC_ISSUER');
  return { issuer, clientId: clientId ?? '', clientSecret: new Secret(clientSecret ?? '') };
}
