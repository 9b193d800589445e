import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';

import { type ApiError, send, showTenant } from './api/client.ts';
import type { Session } from './api/models.ts';
import { Failure } from './parts/states.tsx';
import { ApplicationPage } from './screens/application.tsx';
import { Applications } from './screens/applications.tsx';
import { AsyncInvocations } from './screens/async-invocations.tsx';
import { Audit } from './screens/audit.tsx';
import { Egress } from './screens/egress.tsx';
import { EncryptionKeys } from './screens/encryption-keys.tsx';
import { Home } from './screens/home.tsx';
import { InvocationPage } from './screens/invocation.tsx';
import { Invocations } from './screens/invocations.tsx';
import { Members } from './screens/members.tsx';
import { Formulas, Proxies, Reactors } from './screens/resources.tsx';
import { Settings } from './screens/settings.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { TokenPage } from './screens/token.tsx';
import { Tokens } from './screens/tokens.tsx';
import { WebhookPage } from './screens/webhook.tsx';
import { Webhooks } from './screens/webhooks.tsx';
import { SessionProvider } from './session.tsx';
import { Shell } from './shell.tsx';
import { texts } from './texts.ts';

// The editor is most of the bytes, and the first screen has none.
const Resource = lazy(() =>
  import('./screens/resource.tsx').then((module) => ({ default: module.Resource })),
);

export function App() {
  const query = useQuery<Session, ApiError>({
    queryKey: ['session'],
    queryFn: async () => {
      const session = await send<Session>('GET /console/session');
      if (session.session !== undefined) showTenant(session.session.tenant.id);
      return session;
    },
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <p role="status">{texts.states.loading}</p>;
  const { session } = query.data;
  if (session === undefined) return <SignIn ways={query.data.sign_in} />;
  return (
    <SessionProvider value={session}>
      <Router base="/console">
        <Shell key={session.tenant.id}>
          <Suspense fallback={<p role="status">{texts.states.loading}</p>}>
            <Switch>
              <Route path="/" component={Home} />
              <Route path="/invocations" component={Invocations} />
              <Route path="/invocations/asynchronous" component={AsyncInvocations} />
              <Route path="/invocations/:id">{({ id }) => <InvocationPage key={id} id={id} />}</Route>
              <Route path="/proxies" component={Proxies} />
              <Route path="/reactors" component={Reactors} />
              <Route path="/formulas" component={Formulas} />
              <Route path="/proxies/:id">{({ id }) => <Resource key={id} kind="proxies" id={id} />}</Route>
              <Route path="/reactors/:id">{({ id }) => <Resource key={id} kind="reactors" id={id} />}</Route>
              <Route path="/formulas/:id">{({ id }) => <Resource key={id} kind="formulas" id={id} />}</Route>
              <Route path="/tokens" component={Tokens} />
              <Route path="/tokens/:id">
                {({ id }) => <TokenPage key={id} id={decodeURIComponent(id)} />}
              </Route>
              <Route path="/applications" component={Applications} />
              <Route path="/applications/:id">{({ id }) => <ApplicationPage key={id} id={id} />}</Route>
              <Route path="/members" component={Members} />
              <Route path="/egress" component={Egress} />
              <Route path="/webhooks" component={Webhooks} />
              <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
              <Route path="/audit" component={Audit} />
              <Route path="/encryption-keys" component={EncryptionKeys} />
              <Route path="/settings" component={Settings} />
              <Route>
                <Redirect to="/" />
              </Route>
            </Switch>
          </Suspense>
        </Shell>
      </Router>
    </SessionProvider>
  );
}
