import { useState } from 'react';

import type { Formula, Proxy, Reactor } from '../api/models.ts';
import { Check, Choice, Field, TextArea } from '../parts/fields.tsx';
import { texts } from '../texts.ts';
import { EditConfiguration, type Entries } from './edit-configuration.tsx';
import { SaveDraft } from './save-draft.tsx';

const words = texts.settings;

interface EditProps {
  readonly data: Proxy | Reactor | Formula;
  readonly path: string;
  readonly etag: string | undefined;
  readonly permission: string;
}

interface Values {
  readonly name: string;
  readonly destination_url: string;
  readonly description: string;
  readonly require_auth: boolean;
  readonly timeout: string;
  readonly response_guard: string;
  /** One a line; undefined: whatever the tenant's policy allows. */
  readonly allowed_destinations: string | undefined;
}

function valuesOf(data: EditProps['data']): Values {
  const member = (name: string) => (data as Readonly<Record<string, unknown>>)[name];
  const text = (name: string) => {
    const value = member(name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const hosts = member('allowed_destinations');
  return {
    name: data.name,
    destination_url: text('destination_url'),
    description: text('description'),
    require_auth: member('require_auth') !== false,
    timeout: text('timeout'),
    response_guard: text('response_guard'),
    allowed_destinations: Array.isArray(hosts) ? hosts.join('\n') : undefined,
  };
}

/** What differs, as a merge patch. */
function patchOf(before: Values, after: Values): Record<string, unknown> {
  const sent: Readonly<Record<keyof Values, (values: Values) => unknown>> = {
    name: ({ name }) => name,
    destination_url: ({ destination_url: url }) => url,
    description: ({ description }) => description,
    require_auth: ({ require_auth: isNeeded }) => isNeeded,
    timeout: ({ timeout }) => (timeout === '' ? null : Number(timeout)),
    response_guard: ({ response_guard: guard }) => (guard === '' ? null : guard),
    allowed_destinations: ({ allowed_destinations: hosts }) =>
      hosts === undefined ? null : hosts.split(/\s+/).filter((host) => host !== ''),
  };
  const changed = (Object.keys(sent) as (keyof Values)[]).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, sent[name](after)]));
}

const guards = Object.entries(words.guards);

/** Settings of a proxy, reactor or formula. Like code they go live by a draft that is deployed. */
export function EditSettings({ data, path, etag, permission }: EditProps) {
  const isFormula = path.startsWith('/reactor-formulas/');
  const isProxy = path.startsWith('/proxies/');
  const before = valuesOf(data);
  const [values, setValues] = useState(before);
  const [entries, setEntries] = useState<Entries>({});
  const set = (changed: Partial<Values>) => setValues({ ...values, ...changed });
  const patch = {
    ...patchOf(before, values),
    ...(Object.keys(entries).length === 0 ? {} : { configuration: entries }),
  };
  const isChanged = Object.keys(patch).length > 0;
  const change = isFormula ? { body: { ...data, ...patch }, isPatch: false } : { body: patch, isPatch: true };
  return (
    <>
      <div className="form">
        <Field label={words.name} value={values.name} onChange={(name) => set({ name })} required />
        {isFormula && (
          <Field
            label={words.description}
            value={values.description}
            onChange={(description) => set({ description })}
          />
        )}
        {isProxy && <OfProxy values={values} set={set} />}
        {!isFormula && (
          <>
            <OfCode values={values} set={set} />
            <EditConfiguration
              names={Object.keys((data as Proxy).configuration ?? {})}
              entries={entries}
              onChange={setEntries}
            />
          </>
        )}
      </div>
      <SaveDraft path={path} etag={etag} permission={permission} change={isChanged ? change : undefined} />
    </>
  );
}

interface PartProps {
  readonly values: Values;
  readonly set: (changed: Partial<Values>) => void;
}

function OfProxy({ values, set }: PartProps) {
  return (
    <>
      <Field
        label={words.destination}
        type="url"
        value={values.destination_url}
        onChange={(url) => set({ destination_url: url })}
        required
      />
      <Check
        label={texts.create.needsKey}
        isOn={values.require_auth}
        onChange={(isNeeded) => set({ require_auth: isNeeded })}
      />
      <Field
        label={words.timeout}
        hint={words.timeoutHint}
        value={values.timeout}
        onChange={(timeout) => set({ timeout: timeout.replaceAll(/\D/g, '') })}
      />
    </>
  );
}

function OfCode({ values, set }: PartProps) {
  const { allowed_destinations: hosts } = values;
  return (
    <>
      <Choice
        label={words.guard}
        value={values.response_guard}
        options={[['', words.guardOfTenant], ...guards]}
        onChange={(guard) => set({ response_guard: guard })}
      />
      <Check
        label={words.bound}
        isOn={hosts !== undefined}
        onChange={(isOn) => set({ allowed_destinations: isOn ? '' : undefined })}
      />
      {hosts !== undefined && (
        <TextArea
          label={words.hosts}
          hint={words.hostsHint}
          rows={4}
          value={hosts}
          onChange={(next) => set({ allowed_destinations: next })}
        />
      )}
    </>
  );
}
