import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { Session } from '../api/models.ts';
import { useWrite } from '../api/use-api.ts';
import { Field } from '../parts/fields.tsx';
import { Icon } from '../parts/icons.tsx';
import { Failure } from '../parts/states.tsx';
import { texts } from '../texts.ts';

const { signIn } = texts;
const refusals: Readonly<Record<string, string>> = { failed: signIn.failed, no_access: signIn.noAccess };

/** Before anybody is signed in. */
export function SignIn({ ways }: { readonly ways: Session['sign_in'] }) {
  const refusal = refusals[new URLSearchParams(location.search).get('sign_in_error') ?? ''];
  const page = location.pathname + (refusal === undefined ? location.search : '');
  return (
    <main className="sign-in">
      <h1>
        <Icon name="box" />
        {texts.product}
      </h1>
      {refusal !== undefined && (
        <p className="note bad" role="alert">
          {refusal}
        </p>
      )}
      {ways.openid_connect && (
        <a className="button primary" href={`/console/session/login?return_to=${encodeURIComponent(page)}`}>
          {signIn.withProvider}
        </a>
      )}
      {ways.management_key && <WithKey />}
      {!ways.openid_connect && !ways.management_key && <p>{signIn.none}</p>}
    </main>
  );
}

function WithKey() {
  const [key, setKey] = useState('');
  const client = useQueryClient();
  const write = useWrite(() => void client.resetQueries());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        write.mutate({ request: 'POST /console/session', body: { key: key.trim() } });
      }}
    >
      <Field
        label={signIn.key}
        hint={signIn.keyHint}
        type="password"
        value={key}
        onChange={setKey}
        required
      />
      <button type="submit" className="button" disabled={write.isPending}>
        {signIn.withKey}
      </button>
      {write.error !== null && <Failure error={write.error} />}
    </form>
  );
}
