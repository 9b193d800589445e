import { useState } from 'react';

import type { EgressPolicy } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyAs } from '../parts/copy-as.tsx';
import { Check, Choice, TextArea } from '../parts/fields.tsx';
import { Action, Head } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { EgressReport } from './egress-report.tsx';

const words = texts.egress;
const path = '/tenants/self/egress-policy';

/** Where requests on behalf of the tenant may go, and which went elsewhere. */
export function Egress() {
  const query = useRead<EgressPolicy>(path);
  return (
    <>
      <Head title={texts.nav.egress}>
        <CopyAs request={`GET ${path}`} cli={['pull']} />
      </Head>
      <Loaded query={query}>{(policy) => <Policy key={JSON.stringify(policy)} policy={policy} />}</Loaded>
    </>
  );
}

const modes = Object.entries(words.modes);

function Policy({ policy }: { readonly policy: EgressPolicy }) {
  const right = useRight('tenant:update');
  const [mode, setMode] = useState<string>(policy.mode);
  const [hosts, setHosts] = useState(policy.destinations.join('\n'));
  const [isEphemeral, setEphemeral] = useState(policy.ephemeral);
  const [isAsking, setAsking] = useState(false);
  const destinations = hosts.split(/\s+/).filter((host) => host !== '');
  const allow = (host: string) => {
    if (!destinations.includes(host)) setHosts([...destinations, host].join('\n'));
  };
  return (
    <>
      <div className="form">
        <Choice label={words.mode} value={mode} options={modes} onChange={setMode} />
        <TextArea
          label={words.hosts}
          value={hosts}
          rows={6}
          placeholder="api.stripe.com"
          onChange={setHosts}
        />
        <Check label={words.ephemeral} isOn={isEphemeral} onChange={setEphemeral} />
        <Action primary right={right} onClick={() => setAsking(true)}>
          {texts.actions.save}
        </Action>
      </div>
      <EgressReport allow={right === undefined ? allow : undefined} />
      {isAsking && (
        <Confirm
          title={words.title}
          action={texts.actions.save}
          act={{ request: `PUT ${path}`, body: { mode, destinations, ephemeral: isEphemeral } }}
          onClose={() => setAsking(false)}
        >
          <p>{words.effects[mode as EgressPolicy['mode']](destinations.length)}</p>
          {!isEphemeral && policy.ephemeral && <p>{words.ephemeralEffect}</p>}
        </Confirm>
      )}
    </>
  );
}
