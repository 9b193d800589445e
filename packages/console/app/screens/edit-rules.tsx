import { useState } from 'react';

import type { Application, ApplicationKey, Rule, View } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Check, Choice, Field } from '../parts/fields.tsx';
import { Action } from '../parts/parts.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';
import { usesOf } from './key-uses.ts';
import { sentenceOf } from './rule-sentence.ts';

const words = texts.rules;
const verbs = Object.entries(texts.access.verbs);
const views = Object.entries(texts.access.shows);
const use = 'token:use';

/** The rules as sentences that can be changed, first to last. Nothing counts before it is confirmed. */
export function EditRules({
  application,
  onClose,
}: {
  readonly application: Application;
  readonly onClose: () => void;
}) {
  const right = useRight('application:update');
  const [rules, setRules] = useState<readonly Rule[]>(() =>
    (application.rules ?? []).toSorted((one, other) => one.priority - other.priority),
  );
  const [isAsking, setAsking] = useState(false);
  const keys = useRead<readonly ApplicationKey[]>(`/applications/${application.id}/keys`).data ?? [];
  const change = (at: number, next: Rule | undefined) =>
    setRules(rules.flatMap((rule, index) => (index === at ? (next ?? []) : rule)));
  const numbered = rules.map((rule, index) => ({ ...rule, priority: index + 1 }));
  return (
    <>
      <ol className="rules-editor">
        {rules.map((rule, at) => (
          // They have no other identity than their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            <OneRule
              rule={rule}
              onChange={(next) => change(at, next)}
              onEarlier={at === 0 ? undefined : () => setRules(earlier(rules, at))}
            />
          </li>
        ))}
      </ol>
      <div className="row">
        <button type="button" className="button" onClick={() => setRules([...rules, newRule])}>
          {words.add}
        </button>
        <Action primary right={right} onClick={() => setAsking(true)}>
          {words.save}
        </Action>
        <button type="button" className="button" onClick={onClose}>
          {texts.actions.cancel}
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={words.title(application.name)}
          action={texts.actions.save}
          act={{ request: `PUT /applications/${application.id}`, body: { ...application, rules: numbered } }}
          onClose={() => setAsking(false)}
          onDone={onClose}
        >
          <p>{words.effect(usesOf(keys))}</p>
          <ol className="rules">
            {numbered.map((rule) => (
              <li key={rule.priority}>{sentenceOf(rule)}</li>
            ))}
          </ol>
        </Confirm>
      )}
    </>
  );
}

const newRule: Rule = {
  priority: 1,
  description: '',
  container: '/',
  transform: 'mask',
  permissions: ['token:read'],
};

function earlier(rules: readonly Rule[], at: number): readonly Rule[] {
  const [before, moved] = [rules[at - 1], rules[at]];
  if (before === undefined || moved === undefined) return rules;
  return [...rules.slice(0, at - 1), moved, before, ...rules.slice(at + 1)];
}

function OneRule({
  rule,
  onChange,
  onEarlier,
}: {
  readonly rule: Rule;
  /** @param next undefined: it is removed */
  readonly onChange: (next: Rule | undefined) => void;
  /** Undefined: it is the first. */
  readonly onEarlier: (() => void) | undefined;
}) {
  return (
    <>
      <RuleFields rule={rule} onChange={onChange} />
      <div className="row">
        <button type="button" className="button" disabled={onEarlier === undefined} onClick={onEarlier}>
          {words.earlier}
        </button>
        <button type="button" className="button danger" onClick={() => onChange(undefined)}>
          {words.remove}
        </button>
      </div>
    </>
  );
}

function RuleFields({ rule, onChange }: { readonly rule: Rule; readonly onChange: (next: Rule) => void }) {
  const { description = '', container = '/', transform, permissions, destinations = [] } = rule;
  const allow = (permission: string, isAllowed: boolean) => {
    const held = permissions.filter((one) => one !== permission);
    const next = isAllowed ? [...held, permission] : held;
    const { destinations: _, ...rest } = rule;
    onChange({ ...(next.includes(use) ? rule : rest), permissions: next });
  };
  const bind = (text: string) => {
    const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
    const { destinations: _, ...rest } = rule;
    onChange(hosts.length === 0 ? rest : { ...rest, destinations: hosts });
  };
  return (
    <div className="filters">
      <Field
        label={words.for}
        value={description}
        onChange={(text) => onChange({ ...rule, description: text })}
      />
      {rule.conditions === undefined && (
        <Field
          label={texts.access.container}
          value={container}
          onChange={(text) => onChange({ ...rule, container: text })}
          required
        />
      )}
      <fieldset>
        <legend>{words.may}</legend>
        {verbs.map(([permission, shown]) => (
          <Check
            key={permission}
            label={shown}
            isOn={permissions.includes(permission)}
            onChange={(isOn) => allow(permission, isOn)}
          />
        ))}
      </fieldset>
      <Choice
        label={words.sees}
        value={transform}
        options={views}
        onChange={(view) => onChange({ ...rule, transform: view as View })}
      />
      {permissions.includes(use) && <Hosts hosts={destinations} onChange={bind} />}
    </div>
  );
}

/** What is typed stays as it is typed. */
function Hosts({
  hosts,
  onChange,
}: {
  readonly hosts: readonly string[];
  readonly onChange: (text: string) => void;
}) {
  const [text, setText] = useState(hosts.join(', '));
  return (
    <Field
      label={words.towards}
      hint={words.towardsHint}
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(next);
      }}
    />
  );
}
