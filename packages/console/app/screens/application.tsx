import { Link, useSearchParams } from 'wouter';

import type { Application, Rule, SimulatedAccess } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Badge, CopyAsCurl, Head } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import { AccessAnswer, AccessQuestion, questionOf } from './access.tsx';
import { Keys } from './application-keys.tsx';

const words = texts.access;

/** An API client: what it may do, whether it may do something in particular, and its keys. */
export function ApplicationPage({ id }: { readonly id: string }) {
  const path = `/applications/${id}`;
  const read = useRead<Application>(path);
  const [params, setParams] = useSearchParams();
  const question = questionOf(params);
  const asked = question && `${path}/simulate-access?${question.toString()}`;
  const answer = useRead<SimulatedAccess>(asked);
  return (
    <>
      <p className="soft">
        <Link href="/applications">{texts.nav.applications}</Link>
      </p>
      <Head title={read.data?.name ?? texts.nav.applications}>
        {read.data !== undefined && <Badge>{read.data.type}</Badge>}
        <CopyAsCurl request={`GET ${asked ?? path}`} />
      </Head>
      <Loaded query={read}>
        {(application) => (
          <>
            <h2>{words.rules}</h2>
            <Rules application={application} said={answer.data} />
            <h2>{words.question}</h2>
            <AccessQuestion key={params.toString()} params={params} ask={setParams} />
            {asked !== undefined && (
              <Loaded query={answer}>{(simulated) => <AccessAnswer answer={simulated} />}</Loaded>
            )}
            <Keys id={id} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** @param said marks what each rule has to do with an answer */
function Rules({
  application: { permissions = [], rules = [] },
  said,
}: {
  readonly application: Application;
  readonly said: SimulatedAccess | undefined;
}) {
  if (permissions.length === 0 && rules.length === 0) return <Empty>{words.noRules}</Empty>;
  const outcomes = new Map(said?.rules.map(({ priority, outcome }) => [priority, outcome]));
  return (
    <>
      {permissions.length > 0 && (
        <p>
          {words.everywhere}{' '}
          {permissions.map((permission) => (
            <code key={permission} className="chip">
              {permission}
            </code>
          ))}
        </p>
      )}
      <ol className="rules">
        {[...rules]
          .toSorted((one, other) => one.priority - other.priority)
          .map((rule) => (
            <li key={rule.priority} value={rule.priority}>
              {rule.description !== undefined && <strong>{rule.description}: </strong>}
              {sentenceOf(rule)} <Outcome of={outcomes.get(rule.priority)} />
            </li>
          ))}
      </ol>
    </>
  );
}

function Outcome({ of }: { readonly of: SimulatedAccess['rules'][number]['outcome'] | undefined }) {
  if (of === undefined) return null;
  if (of === 'decides') return <Badge tone="warn">{words.outcomes[of]}</Badge>;
  return <span className="soft">{words.outcomes[of]}</span>;
}

/** A rule in words. */
function sentenceOf({ container = '/', transform, permissions, destinations }: Rule): string {
  const verbs = permissions.map((permission) => permission.replace('token:', '')).join(', ');
  const parts = [
    words.inWords(verbs, container),
    words.shows[transform],
    destinations && words.onlyTowards(destinations.join(', ')),
  ];
  return `${parts.filter((part) => part !== undefined).join(', ')}.`;
}
