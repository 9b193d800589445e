import { useId, useState } from 'react';

import type { EgressPolicy } from '../api/models.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Action, Choice, CopyAsCurl, Head } from '../parts/parts.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

const path = '/tenants/self/egress-policy';

/** Where requests on behalf of the tenant may go. */
export function Egress() {
  const query = useRead<EgressPolicy>(path);
  return (
    <>
      <Head title={texts.nav.egress}>
        <CopyAsCurl request={`GET ${path}`} />
      </Head>
      <Loaded query={query}>{(policy) => <Policy key={JSON.stringify(policy)} policy={policy} />}</Loaded>
      <p>
        <a href="/console/audit?entity_type=egress">What the policy refused or reported</a>
      </p>
    </>
  );
}

const modes = [
  ['off', 'off: any host that the operator allows'],
  ['report', 'report: other hosts are served, and noted in the log'],
  ['enforce', 'enforce: other hosts are refused'],
] as const;

function Policy({ policy }: { readonly policy: EgressPolicy }) {
  const right = useRight('tenant:update');
  const id = useId();
  const [mode, setMode] = useState<string>(policy.mode);
  const [hosts, setHosts] = useState(policy.destinations.join('\n'));
  const [isEphemeral, setEphemeral] = useState(policy.ephemeral);
  const write = useWrite();
  const destinations = hosts
    .split('\n')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  return (
    <div className="form">
      <Choice label="Mode" value={mode} options={modes} onChange={setMode} />
      <div className="field">
        <label htmlFor={`${id}-hosts`}>Allowed hosts, one a line</label>
        <textarea
          id={`${id}-hosts`}
          rows={8}
          value={hosts}
          spellCheck={false}
          placeholder="api.stripe.com"
          onChange={(event) => setHosts(event.target.value)}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={isEphemeral}
          onChange={(event) => setEphemeral(event.target.checked)}
        />
        Requests may name their destination themselves (ephemeral proxies)
      </label>
      {mode === 'enforce' && policy.mode !== 'enforce' && (
        <p className="note warn">
          Requests to other hosts fail from then on. The mode “report” shows first which ones these are.
        </p>
      )}
      {write.error !== null && <Failure error={write.error} />}
      <Action
        primary
        right={right}
        onClick={() =>
          write.mutate({ request: `PUT ${path}`, body: { mode, destinations, ephemeral: isEphemeral } })
        }
      >
        {texts.actions.save}
      </Action>
    </div>
  );
}
