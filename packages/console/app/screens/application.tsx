import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';

import type { Application, ApplicationKey, SimulatedAccess } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyAs } from '../parts/copy-as.tsx';
import { Action, Badge, Head } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { AccessAnswer, AccessQuestion, questionOf } from './access.tsx';
import { Keys } from './application-keys.tsx';
import { EditRules } from './edit-rules.tsx';
import { usesOf } from './key-uses.ts';
import { sentenceOf } from './rule-sentence.ts';

const words = texts.access;

/** An API client: what it may do, whether it may do something in particular, and its keys. */
export function ApplicationPage({ id }: { readonly id: string }) {
  const path = `/applications/${id}`;
  const read = useRead<Application>(path);
  const [params, setParams] = useSearchParams();
  const question = questionOf(params);
  const asked = question && `${path}/simulate-access?${question.toString()}`;
  const answer = useRead<SimulatedAccess>(asked);
  const mayChange = useRight('application:update');
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <p className="soft back">
        <Link href="/applications">{texts.nav.applications}</Link>
      </p>
      <Head title={read.data?.name ?? texts.nav.applications}>
        {read.data !== undefined && <Badge>{read.data.type}</Badge>}
        <CopyAs request={`GET ${asked ?? path}`} cli={question && cliOf(id, question)} />
        {read.data !== undefined && <Delete application={read.data} />}
      </Head>
      <Loaded query={read}>
        {(application) => (
          <>
            <h2>{words.rules}</h2>
            <Rules application={application} said={answer.data} />
            {application.type !== 'management' && !isEditing && (
              <p>
                <Action right={mayChange} onClick={() => setEditing(true)}>
                  {texts.rules.edit}
                </Action>
              </p>
            )}
            {isEditing && <EditRules application={application} onClose={() => setEditing(false)} />}
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

function cliOf(id: string, question: URLSearchParams): readonly string[] {
  const destination = question.get('destination');
  const where = ['--container', question.get('container') ?? '/'];
  return [
    'can',
    id,
    question.get('permission') ?? '',
    ...where,
    ...(destination ? ['--to', destination] : []),
  ];
}

function Delete({ application: { id, name } }: { readonly application: Application }) {
  const right = useRight('application:delete');
  const [, go] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const keys =
    useRead<readonly ApplicationKey[]>(isAsked ? `/applications/${id}/keys` : undefined).data ?? [];
  return (
    <>
      <Action danger right={right} onClick={() => setAsked(true)}>
        {texts.actions.delete}
      </Action>
      {isAsked && (
        <Confirm
          title={texts.confirm.deleteTitle(name)}
          action={texts.actions.delete}
          act={{ request: `DELETE /applications/${id}` }}
          onClose={() => setAsked(false)}
          onDone={() => go('/applications')}
        >
          <p>
            <strong>{usesOf(keys)}</strong> {words.deleteEffect}
          </p>
        </Confirm>
      )}
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
