import { Link } from 'wouter';

import type { AsyncInvocation } from '../api/invocation-models.ts';
import type { Page } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { Badge, Head, Id, Time } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts.ts';
import { Subject } from './invocations.tsx';

const words = texts.asynchronous;
/** Of one page, the newest. */
const size = 100;

/** Runs of reactors that nobody waits for. */
export function AsyncInvocations() {
  const address = `/invocations/asynchronous?size=${size}`;
  const isUnderWay = ({ data }: Page<AsyncInvocation>) =>
    data.some(({ state }) => state === 'waiting' || state === 'running');
  const read = useRead<Page<AsyncInvocation>>(address, isUnderWay);
  return (
    <>
      <p className="soft back">
        <Link href="/invocations">{texts.nav.invocations}</Link>
      </p>
      <Head title={words.title}>
        <CopyAs request={`GET ${address}`} />
      </Head>
      <Loaded query={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{words.none}</Empty>
          ) : (
            <Table
              label={words.title}
              rows={data}
              columns={[
                ['Accepted', ({ accepted_at: at }) => <Time at={at} />],
                ['State', ({ state }) => <State of={state} />],
                ['Of', ({ reactor_id: id }) => <Subject subject={{ type: 'reactor', id }} />],
                ['Ended', ({ ended_at: at }) => <Time at={at} />],
                ['Time', ({ duration_ms: ms }) => (ms === undefined ? '–' : `${ms.toLocaleString()} ms`)],
                ['Error', ({ error }) => error ?? '–'],
                ['Invoked by', ({ application_id: id }) => <Id value={id} />],
                ['Id', ({ id }) => <Id value={id} />],
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

const tones: Readonly<Record<AsyncInvocation['state'], 'bad' | 'warn' | undefined>> = {
  waiting: undefined,
  running: undefined,
  completed: undefined,
  failed: 'bad',
  interrupted: 'warn',
};

const State = ({ of }: { readonly of: AsyncInvocation['state'] }) => (
  <Badge tone={tones[of]}>{words.states[of]}</Badge>
);
