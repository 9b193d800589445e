import { useState } from 'react';

import { useRead } from '../api/use-api.ts';
import { Check, Field } from '../parts/fields.tsx';
import { texts } from '../texts.ts';
import { Create } from './create.tsx';

const words = texts.webhooks;

/** What a person says of a webhook. */
export interface Values {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
}

export function CreateWebhook() {
  const [values, setValues] = useState<Values>({ name: '', url: '', events: [] });
  return (
    <Create
      title={words.create}
      permission="webhooks:create"
      request="POST /webhooks"
      body={values}
      isReady={isWhole(values)}
      pathOf={(id) => `/webhooks/${id}`}
    >
      <Fields values={values} onChange={setValues} />
    </Create>
  );
}

/** Nothing is missing. */
export const isWhole = ({ name, url, events }: Values) =>
  name.trim() !== '' && url.trim() !== '' && events.length > 0;

/** Of a webhook. */
export function Fields({
  values,
  onChange,
}: {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}) {
  const types = useRead<readonly string[]>('/webhooks/event-types').data ?? [];
  const { name, url, events } = values;
  return (
    <>
      <Field
        label={texts.create.name}
        value={name}
        onChange={(next) => onChange({ ...values, name: next })}
        required
      />
      <Field
        label={words.url}
        type="url"
        value={url}
        onChange={(next) => onChange({ ...values, url: next })}
        required
      />
      <fieldset className="columns">
        <legend>{words.events}</legend>
        {types.map((type) => (
          <Check
            key={type}
            label={<code>{type}</code>}
            isOn={events.includes(type)}
            onChange={(isOn) =>
              onChange({ ...values, events: isOn ? [...events, type] : events.filter((one) => one !== type) })
            }
          />
        ))}
      </fieldset>
    </>
  );
}
