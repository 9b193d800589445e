import { useState } from 'react';

import type { Rule } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Choice, Field } from '../parts/fields.tsx';
import { texts } from '../texts.ts';
import { Create } from './create.tsx';
import { sentenceOf } from './rule-sentence.ts';

const words = texts.create;

interface Template {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly application_type: string;
  readonly permissions?: readonly string[];
  readonly rules?: readonly Rule[];
}

/** An application begins as what it is for; its rules can be changed then. */
export function CreateApplication() {
  const templates = useRead<readonly Template[]>('/application-templates').data ?? [];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string>();
  const template = templates.find(({ id }) => id === chosen) ?? templates[0];
  const { application_type: type, permissions = [], rules = [] } = template ?? {};
  return (
    <Create
      title={words.application}
      permission="application:create"
      request="POST /applications"
      body={{ name, type, permissions, rules }}
      isReady={name.trim() !== '' && template !== undefined}
      pathOf={(id) => `/applications/${id}`}
    >
      <Field label={words.name} value={name} onChange={setName} required />
      <Choice
        label={words.purpose}
        value={template?.id ?? ''}
        options={templates.map(({ id, name: shown }) => [id, shown] as const)}
        onChange={setChosen}
      />
      {template !== undefined && (
        <div className="note">
          <div>
            {template.description}
            <ul>
              {rules.map((rule) => (
                <li key={rule.priority}>{sentenceOf(rule)}</li>
              ))}
              {permissions.length > 0 && <li>{`${texts.access.everywhere} ${permissions.join(', ')}`}</li>}
            </ul>
          </div>
        </div>
      )}
    </Create>
  );
}
