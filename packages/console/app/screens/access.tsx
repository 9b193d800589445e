import { useState } from 'react';

import type { SimulatedAccess } from '../api/models.ts';
import { Choice, Field } from '../parts/fields.tsx';
import { Badge } from '../parts/parts.tsx';
import { texts } from '../texts.ts';

const words = texts.access;
const verbs = Object.entries(words.verbs);
const use = 'token:use';

/** The question that the address of the page asks; undefined: none. */
export function questionOf(params: URLSearchParams): URLSearchParams | undefined {
  const [permission, container] = [params.get('permission'), params.get('container')];
  if (permission === null || container === null) return undefined;
  const question = new URLSearchParams({ permission, container });
  const destination = params.get('destination');
  if (destination !== null && permission === use) question.set('destination', destination);
  return question;
}

/** Whether a key may do something to tokens of a container, towards a host. */
export function AccessQuestion({
  params,
  ask,
}: {
  readonly params: URLSearchParams;
  readonly ask: (question: URLSearchParams) => void;
}) {
  const [permission, setPermission] = useState(params.get('permission') ?? use);
  const [container, setContainer] = useState(params.get('container') ?? '/');
  const [destination, setDestination] = useState(params.get('destination') ?? '');
  return (
    <form
      className="filters"
      aria-label={words.question}
      onSubmit={(event) => {
        event.preventDefault();
        ask(new URLSearchParams({ permission, container, ...(destination === '' ? {} : { destination }) }));
      }}
    >
      <Choice label={words.verb} value={permission} options={verbs} onChange={setPermission} />
      <Field label={words.container} value={container} onChange={setContainer} required />
      {permission === use && (
        <Field label={words.destination} value={destination} onChange={setDestination} />
      )}
      <button type="submit" className="button primary">
        {words.ask}
      </button>
    </form>
  );
}

export function AccessAnswer({ answer }: { readonly answer: SimulatedAccess }) {
  const { decision, reason, rule, transform, egress } = answer;
  const isAllowed = decision === 'allowed';
  const by = rule === undefined ? (isAllowed ? words.byPermission : undefined) : words.byRule(rule.priority);
  const shown = transform === undefined ? undefined : words.shows[transform];
  const why = reason === undefined ? shown : words.reasons[reason];
  return (
    <p className="note" role="status">
      <Badge tone={isAllowed ? undefined : 'bad'}>{isAllowed ? words.allowed : words.denied}</Badge>{' '}
      {[by, why].filter((part) => part !== undefined).join(': ')}.{' '}
      {isAllowed && egress?.reason !== undefined && words.reported}
    </p>
  );
}
