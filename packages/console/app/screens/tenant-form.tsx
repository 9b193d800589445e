import { useState } from 'react';

import { Confirm } from '../parts/confirm.tsx';
import { Line } from '../parts/definition.tsx';
import { Choice, Field } from '../parts/fields.tsx';
import { Action } from '../parts/parts.tsx';
import { useRight } from '../session.tsx';
import { texts } from '../texts.ts';

const words = texts.tenant;

type Values = Readonly<Record<string, string>>;

/** As the API shows it. */
export interface TenantSettings {
  readonly id: string;
  readonly name: string;
  readonly settings?: Values;
}

/** Settings that mean something, with their values; a tenant may keep notes of its own beside them. */
export function TenantForm({ tenant }: { readonly tenant: TenantSettings }) {
  const right = useRight('tenant:update');
  const { settings: before = {} } = tenant;
  const [name, setName] = useState(tenant.name);
  const [settings, setSettings] = useState(before);
  const [isAsking, setAsking] = useState(false);
  const set = (key: string) => (value: string) => {
    const { [key]: _, ...others } = settings;
    setSettings(value === '' ? others : { ...others, [key]: value });
  };
  const own = Object.entries(before).filter(([key]) => !Object.hasOwn(words.settings, key));
  const all = new Set([...Object.keys(before), ...Object.keys(settings)]);
  const changed = [...all].filter((key) => before[key] !== settings[key]);
  const isChanged = changed.length > 0 || name !== tenant.name;
  return (
    <>
      <div className="form">
        <Field label={words.name} value={name} onChange={setName} required />
        <Known settings={settings} set={set} />
      </div>
      <dl className="definition">
        <Line name="id">{tenant.id}</Line>
        {own
          .filter(([key]) => key !== 'invocation_sampling')
          .map(([key, value]) => (
            <Line key={key} name={key}>
              {value}
            </Line>
          ))}
      </dl>
      <p>
        <Action
          primary
          right={right ?? (isChanged ? undefined : words.unchanged)}
          onClick={() => setAsking(true)}
        >
          {texts.actions.save}
        </Action>
      </p>
      {isAsking && (
        <Save before={before} changed={changed} body={{ name, settings }} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function Save({
  before,
  changed,
  body,
  onClose,
}: {
  readonly before: Values;
  /** Names of settings. */
  readonly changed: readonly string[];
  readonly body: { readonly name: string; readonly settings: Values };
  readonly onClose: () => void;
}) {
  const act = { request: 'PUT /tenants/self', body };
  return (
    <Confirm title={words.title} action={texts.actions.save} act={act} onClose={onClose}>
      <p>{words.effect}</p>
      <ul>
        {changed.map((key) => (
          <li key={key}>
            <code>{key}</code>: {before[key] ?? words.default} → {body.settings[key] ?? words.default}
          </li>
        ))}
      </ul>
    </Confirm>
  );
}

function Known({
  settings,
  set,
}: {
  readonly settings: Values;
  readonly set: (key: string) => (value: string) => void;
}) {
  return (
    <>
      {Object.entries(words.settings).map(([key, { label, values }]) => (
        <Choice
          key={key}
          label={label}
          value={settings[key] ?? ''}
          options={Object.entries(values)}
          onChange={set(key)}
        />
      ))}
      <Field
        label={words.sampling}
        hint={words.samplingHint}
        value={settings['invocation_sampling'] ?? ''}
        onChange={(value) => set('invocation_sampling')(value.replaceAll(/\D/g, ''))}
      />
    </>
  );
}
