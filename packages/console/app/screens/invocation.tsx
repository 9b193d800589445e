import { Link } from 'wouter';

import type { Invocation } from '../api/invocation-models.ts';
import type { Formula, LogEntry, Page, Reactor, Transform, Version } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { CopyButton, Head, Id, Time } from '../parts/parts.tsx';
import { StageBar, StageSwatch, stagesOf } from '../parts/stage-bar.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useSession } from '../session.tsx';
import { texts } from '../texts.ts';
import { DryRunAgain } from './dry-run-again.tsx';
import { InvocationLog } from './invocation-log.tsx';
import { Outcome, Subject } from './invocations.tsx';

const words = texts.invocations;

/** One invocation: how it ended, where its time went, the line that threw, and what the vault has recorded of it. */
export function InvocationPage({ id }: { readonly id: string }) {
  const address = `/invocations/${id}`;
  const read = useRead<Invocation>(address);
  return (
    <>
      <Head title={words.one}>
        <CopyAs
          request={`GET ${address}`}
          cli={read.data && ['invocations', '--trace-id', read.data.trace_id]}
        />
      </Head>
      <Loaded query={read}>
        {(invocation) => (
          <>
            <Facts invocation={invocation} />
            {invocation.error?.line !== undefined && <CodeLine invocation={invocation} />}
            <InvocationLog invocation={invocation} />
            <DryRunAgain invocation={invocation} />
            {invocation.stages !== undefined && <Waterfall stages={invocation.stages} />}
            <Entries traceId={invocation.trace_id} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ invocation }: { readonly invocation: Invocation }) {
  const { started_at, duration_ms, status, version, destination, application_id, trace_id } = invocation;
  const { request_bytes, response_bytes } = invocation;
  return (
    <dl className="facts">
      <dt>Outcome</dt>
      <dd>
        <Outcome invocation={invocation} />
        {status !== undefined && ` · ${words.answered(status)}`}
      </dd>
      <dt>Of</dt>
      <dd>
        <Subject subject={invocation.subject} /> {version !== undefined && `v${version}`}
      </dd>
      <dt>Began</dt>
      <dd>
        <Time at={started_at} /> · {duration_ms.toLocaleString()} ms
      </dd>
      <dt>Destination</dt>
      <dd>
        {destination === undefined ? words.notReached : destination.url}
        {destination?.status !== undefined && ` ${words.answered(destination.status)}`}
      </dd>
      <dt>Invoked by</dt>
      <dd>
        {application_id === undefined ? (
          words.nobody
        ) : (
          <Link href={`/applications/${application_id}`}>
            <Id value={application_id} />
          </Link>
        )}
      </dd>
      <dt>Body</dt>
      <dd>{words.bytes(request_bytes, response_bytes)}</dd>
      <dt>Trace</dt>
      <dd>
        <code>{trace_id}</code> <CopyButton text={trace_id} />{' '}
        <Link href={`/invocations?trace_id=${encodeURIComponent(trace_id)}`}>{words.same}</Link>
      </dd>
    </dl>
  );
}

/** The lines around the place at which the code of that version threw. */
function CodeLine({
  invocation: { subject, version, error, destination },
}: {
  readonly invocation: Invocation;
}) {
  const isProxy = subject.type === 'proxy';
  const versions = useRead<Version>(
    isProxy && version !== undefined ? `/proxies/${subject.id ?? ''}/versions/${version}` : undefined,
  );
  const reactor = useRead<Reactor>(isProxy ? undefined : `/reactors/${subject.id ?? ''}`);
  const formulaId = reactor.data?.formula?.id;
  const formula = useRead<Formula>(formulaId === undefined ? undefined : `/reactor-formulas/${formulaId}`);
  const side = destination?.status === undefined ? 'request' : 'response';
  const code = isProxy ? codeOf(versions.data, side) : (reactor.data?.code ?? formula.data?.code);
  const line = error?.line ?? 1;
  if (code === undefined) return null;
  const lines = code.split(/\r\n|[\n\r\u2028\u2029]/);
  const first = Math.max(1, line - 3);
  return (
    <section aria-labelledby="code-line">
      <h2 id="code-line">{words.threw(line, error?.column)}</h2>
      <section className="scroll" aria-label={texts.create.code} tabIndex={0}>
        <ol className="code-lines" start={first}>
          {lines.slice(first - 1, line + 3).map((text, at) => (
            <li key={first + at} value={first + at} aria-current={first + at === line ? 'true' : undefined}>
              <code>{text}</code>
            </li>
          ))}
        </ol>
      </section>
      <p>
        <Link
          href={
            isProxy
              ? `/proxies/${subject.id ?? ''}?tab=code&place=${side}_transform`
              : formulaId === undefined
                ? `/reactors/${subject.id ?? ''}?tab=code`
                : `/formulas/${formulaId}?tab=code`
          }
        >
          {words.openCode}
        </Link>
      </p>
    </section>
  );
}

function codeOf(version: Version | undefined, side: 'request' | 'response'): string | undefined {
  const definition = version?.definition;
  const one = definition?.[`${side}_transform`] as Transform | undefined;
  if (one?.code !== undefined) return one.code;
  const list = definition?.[`${side}_transforms`] as readonly Transform[] | undefined;
  return list?.find(({ code }) => code !== undefined)?.code;
}

function Waterfall({ stages }: { readonly stages: Readonly<Record<string, number>> }) {
  const all = stagesOf(stages);
  const longest = all.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <section aria-labelledby="stages">
      <h2 id="stages">{words.where}</h2>
      <StageBar stages={stages} longest={longest} />
      <Table
        label={words.where}
        rows={all}
        columns={[
          [
            'Stage',
            ({ id: name }) => (
              <>
                <StageSwatch name={name} /> {words.stages[name]}
              </>
            ),
          ],
          ['Time', ({ ms }) => `${ms.toLocaleString()} ms`],
          ['Share', ({ ms }) => `${Math.round((100 * ms) / Math.max(0.01, longest))} %`],
        ]}
      />
    </section>
  );
}

/** What the vault and this service have recorded of the request. */
function Entries({ traceId }: { readonly traceId: string }) {
  const { permissions } = useSession();
  const mayRead = permissions.includes('log:read');
  const address = `/logs?trace_id=${encodeURIComponent(traceId)}&start=&size=20`;
  const read = useRead<Page<LogEntry>>(mayRead ? address : undefined);
  return (
    <section aria-labelledby="entries">
      <h2 id="entries">{texts.nav.audit}</h2>
      {mayRead ? (
        <Loaded query={read}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty>{words.noEntries}</Empty>
            ) : (
              <Table
                label={texts.nav.audit}
                rows={data}
                columns={[
                  ['When', ({ created_at: at }) => <Time at={at} />],
                  ['What', ({ message }) => message],
                  ['Thing', ({ entity_id: thing }) => <Id value={thing} />],
                  ['Outcome', ({ outcome }) => outcome],
                  ['Destination', ({ destination }) => destination ?? '–'],
                ]}
              />
            )
          }
        </Loaded>
      ) : (
        <p className="soft">{texts.states.noRightHint('log:read')}</p>
      )}
    </section>
  );
}
