import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { renderTypeScript } from '@glovebox/openapi/typescript';
import type * as applications from '@glovebox/sdk/models/application';
import type * as invocations from '@glovebox/sdk/models/invocation';
import type * as keys from '@glovebox/sdk/models/key';
import type * as logs from '@glovebox/sdk/models/log';
import type * as proxies from '@glovebox/sdk/models/proxy';
import type * as reactors from '@glovebox/sdk/models/reactor';
import type * as rollouts from '@glovebox/sdk/models/rollout';
import type * as sessions from '@glovebox/sdk/models/session';
import type * as tenants from '@glovebox/sdk/models/tenant';
import type * as tokens from '@glovebox/sdk/models/token';
import type * as intents from '@glovebox/sdk/models/token-intent';
import type * as trials from '@glovebox/sdk/models/trial';
import type * as versions from '@glovebox/sdk/models/version';
import type * as webhooks from '@glovebox/sdk/models/webhook';
import { expect } from 'chai';

import type * as api from '../gen/api-types.ts';

/** Each is `never`, or says by which property the client and the description of the API differ. */
export type Agreements = [
  None<Answered<applications.Application, api.Application>>,
  None<Sent<applications.CreateApplication, api.ApplicationRequest>>,
  None<Sent<applications.UpdateApplication, api.ApplicationChange>>,
  None<
    Answered<
      applications.ApplicationKey,
      api.ApplicationKey & Partial<Pick<api.CreatedApplicationKey, 'key'>>
    >
  >,
  None<Answered<applications.ApplicationTemplate, api.ApplicationTemplate>>,
  None<Answered<applications.Permission, api.Permission>>,
  None<Answered<keys.Key, api.Key>>,
  None<Sent<keys.CreateKey, api.KeyRequest>>,
  None<Answered<logs.Log, api.Log>>,
  None<Answered<logs.LogEntityType, api.LogEntityType>>,
  None<Answered<invocations.Invocation, api.Invocation>>,
  None<Answered<proxies.Proxy, api.Proxy>>,
  None<Sent<proxies.CreateProxy, api.ProxyRequest>>,
  None<Sent<proxies.PatchProxy, api.ProxyPatch>>,
  None<Sent<reactors.PatchReactor, Omit<api.ReactorPatch, 'formula'>>>,
  None<Answered<reactors.ReactorFormula, api.ReactorFormula>>,
  None<Sent<reactors.CreateReactorFormula, api.ReactorFormulaRequest>>,
  None<Answered<reactors.Reactor, api.Reactor>>,
  None<Sent<trials.TryTransform, api.TransformTrial>>,
  None<Sent<trials.TryFormula, api.FormulaTrial>>,
  None<Answered<trials.TrialResult, api.TrialResult>>,
  None<Answered<versions.Version<versions.ProxyDefinition>, api.ProxyVersion>>,
  None<Answered<versions.RestoredVersion<versions.ProxyDefinition>, api.RestoredProxyVersion>>,
  None<Answered<versions.ProxyDefinition, api.ProxyDefinition>>,
  None<Answered<versions.ReactorDefinition, api.ReactorDefinition>>,
  None<Answered<versions.ReactorFormulaDefinition, api.ReactorFormulaDefinition>>,
  None<Sent<rollouts.UpdateRollout, api.RolloutRequest>>,
  None<Answered<rollouts.Rollout, api.Rollout>>,
  None<Sent<reactors.CreateReactor, api.ReactorRequest>>,
  None<Sent<reactors.UpdateReactor, Omit<api.ReactorChange, 'formula'>>>,
  None<Sent<reactors.ReactRequest, api.ReactRequest>>,
  None<Answered<reactors.ReactResponse, api.ReactResponse>>,
  None<Answered<sessions.Session, api.Session>>,
  None<Sent<sessions.AuthorizeSession, api.SessionAuthorization>>,
  None<Answered<tenants.Tenant, api.Tenant>>,
  None<Sent<tenants.UpdateTenant, api.TenantRequest>>,
  None<Answered<tenants.EgressPolicy, api.EgressPolicy>>,
  None<Sent<tenants.UpdateEgressPolicy, api.EgressPolicyRequest>>,
  None<Answered<tenants.TenantInvitation, api.TenantInvitation>>,
  None<Answered<tenants.TenantMember, api.TenantMember>>,
  None<Answered<tenants.UsageReport, api.UsageReport>>,
  None<Answered<tenants.OperationsReport, api.OperationsReport>>,
  None<Answered<reactors.AsyncReactResponse, api.AsyncReactResponse>>,
  None<Answered<intents.TokenIntent, api.TokenIntent>>,
  None<Sent<intents.CreateTokenIntent<api.TokenData>, api.TokenIntentRequest>>,
  None<Sent<intents.CreateEncryptedTokenIntent, api.EncryptedData>>,
  None<Answered<webhooks.Webhook, api.Webhook>>,
  None<Answered<webhooks.CreatedWebhook, api.CreatedWebhook>>,
  None<Answered<webhooks.RotatedWebhook, api.RotatedWebhook>>,
  None<Sent<webhooks.CreateWebhook, api.WebhookRequest>>,
  None<Answered<tokens.Token, api.CreatedToken>>,
  None<Sent<tokens.CreateToken<api.TokenData>, api.TokenRequest>>,
  None<Sent<tokens.CreateEncryptedToken, api.EncryptedTokenRequest>>,
  None<Sent<tokens.UpdateToken<api.TokenData>, api.TokenPatch>>,
];

type None<Difference extends never> = Difference;

/** What the service answers must be what the client says that it gives. */
type Answered<Client, Api> =
  | Apart<Client, Api>
  | `always there, and optional in the client: ${Name<Exclude<Required<Api>, Required<Client>>>}`
  | `not always there, but in the client: ${Name<Exclude<Required<Client>, Required<Api>>>}`
  | `of another type than is answered: ${Name<Mismatched<Api, Client>>}`;

/** What the client lets one send must be what the service takes. */
type Sent<Client, Api> =
  | Apart<Client, Api>
  | `required, and optional in the client: ${Name<Exclude<Required<Api>, Required<Client>>>}`
  | `optional, and required in the client: ${Name<Exclude<Required<Client>, Required<Api>>>}`
  | `of another type than is taken: ${Name<Mismatched<Client, Api>>}`;

type Apart<Client, Api> =
  | `not in the client: ${Name<Exclude<keyof Api, keyof Client>>}`
  | `not in the description: ${Name<Exclude<keyof Client, keyof Api>>}`;

type Mismatched<From, To> = {
  [K in keyof From & keyof To]: Loose<From[K]> extends Loose<To[K]> ? never : K;
}[keyof From & keyof To];

type Required<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

type Name<Key> = Extract<Key, string>;

/** Read-only or not, absent or undefined: what is said elsewhere, or makes no difference here. */
type Loose<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Loose<T[K]> | undefined }
      : T | undefined;

describe('the types of the client', () => {
  it('are compared with those of the API as it is described now', () => {
    const again = 'run `node --conditions=source packages/openapi/src/render-main.ts`';
    const kept = readFileSync(join(checkout, 'test/gen/api-types.ts'), 'utf8');
    expect(kept === renderTypeScript(), again).to.equal(true);
  });

  it('have every property that the API has, as optional and of the type that it has there', () => {
    const project = join(checkout, 'test/gen/tsconfig.json');
    const command = [join(checkout, 'node_modules/typescript/bin/tsc'), '-p', project];
    let problems = '';
    try {
      execFileSync(process.execPath, command, { stdio: 'pipe' });
    } catch (error) {
      problems = String((error as { stdout?: Buffer }).stdout);
    }
    expect(problems).to.equal('');
  });
});
