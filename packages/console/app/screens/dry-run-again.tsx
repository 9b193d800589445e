import { useState } from 'react';
import { Link, useLocation } from 'wouter';

import type { Invocation } from '../api/invocation-models.ts';
import type { Reactor } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { CopyAs } from '../parts/copy-as.tsx';
import { TextArea } from '../parts/fields.tsx';
import { Action } from '../parts/parts.tsx';
import { texts } from '../texts.ts';
import { placeOfEvents, savedEvents } from './saved-events.ts';
import { type RunAtOnce, ofProxies, ofReactors, useTryRight } from './try-panel.tsx';

const words = texts.dryRun;
const firstArgs = { number: '{{<token id>}}' };

/**
 * How to see what the same request would meet with now. What was sent is not kept, and people have no key of the data
 * plane: so it is a command, with the proxy or reactor filled in.
 */
export function DryRunAgain({ invocation: { subject } }: { readonly invocation: Invocation }) {
  const { type, id } = subject;
  const isProxy = type === 'proxy';
  const [body, setBody] = useState(() => JSON.stringify(isProxy ? firstArgs : { args: firstArgs }));
  if (id === undefined) return null;
  const request = isProxy ? 'POST /proxy' : `POST /reactors/${id}/react`;
  return (
    <section aria-labelledby="dry-run">
      <div className="head">
        <h2 id="dry-run">{words.title}</h2>
        <span className="grow" />
        <CopyAs
          request={request}
          withApiKey
          headers={[
            'SVC-Dry-Run: true',
            'Content-Type: application/json',
            ...(isProxy ? [`SVC-PROXY-ID: ${id}`] : []),
          ]}
          body={body}
          cli={['dry-run', type, id, '--body', 'body.json']}
        />
      </div>
      <SavedRuns type={type} id={id} />
      <p className="soft">{words.hint}</p>
      <TextArea label={words.body} rows={3} value={body} onChange={setBody} />
      <p>
        <Link href={`/${isProxy ? 'proxies' : 'reactors'}/${id}?tab=code`}>{words.tryCode}</Link>
      </p>
    </section>
  );
}

interface SavedRunsProps {
  readonly type: Invocation['subject']['type'];
  readonly id: string;
}

/** What the code of now does with events that somebody has kept for it, on the page where it is edited. */
function SavedRuns({ type, id }: SavedRunsProps) {
  const isProxy = type === 'proxy';
  const right = useTryRight(isProxy ? ofProxies : ofReactors);
  const [, go] = useLocation();
  const reactor = useRead<Reactor>(isProxy ? undefined : `/reactors/${id}`);
  const formulaId = reactor.data?.code === undefined ? reactor.data?.formula?.id : undefined;
  const path = isProxy
    ? `/proxies/${id}`
    : formulaId === undefined
      ? `/reactors/${id}`
      : `/formulas/${formulaId}`;
  const sides = isProxy ? (['request', 'response'] as const) : [undefined];
  const kept = sides.flatMap((side) =>
    savedEvents(placeOfEvents(path, side)).map(({ name }) => ({ side, name })),
  );
  if (kept.length === 0) return null;
  return (
    <>
      <p>{words.saved}</p>
      <ul className="choices" aria-label={words.saved}>
        {kept.map(({ side, name }) => (
          <li key={`${side ?? ''} ${name}`}>
            <Action
              right={right}
              onClick={() => {
                const state: RunAtOnce = { event: name };
                go(`${path}?tab=code${side === undefined ? '' : `&place=${side}_transform`}`, { state });
              }}
            >
              {side === undefined ? name : words.ofSide(name, side)}
            </Action>
          </li>
        ))}
      </ul>
    </>
  );
}
