import { useState } from 'react';

import type { Formula, Page } from '../api/models.ts';
import { useRead } from '../api/use-api.ts';
import { Check, Choice, Field } from '../parts/fields.tsx';
import { texts } from '../texts.ts';
import { type Purpose, firstReactorCode, proxyTemplates } from './code-templates.ts';
import { Create } from './create.tsx';

const words = texts.create;
const purposes = Object.entries(proxyTemplates).map(([purpose, { name }]) => [purpose, name] as const);

export function CreateProxy() {
  const [name, setName] = useState('');
  const [destination, setDestination] = useState('');
  const [purpose, setPurpose] = useState('none');
  const [needsKey, setNeedsKey] = useState(true);
  const body = {
    name,
    destination_url: destination,
    require_auth: needsKey,
    ...proxyTemplates[purpose as Purpose].transforms,
  };
  return (
    <Create
      title={words.proxy}
      permission="proxy:create"
      request="POST /proxies"
      body={body}
      isReady={name.trim() !== '' && destination.trim() !== ''}
      pathOf={(id) => `/proxies/${id}?tab=code`}
    >
      <Field label={words.name} value={name} onChange={setName} required />
      <Field
        label={words.destination}
        hint={words.destinationHint}
        type="url"
        value={destination}
        onChange={setDestination}
        required
      />
      <Choice label={words.purpose} value={purpose} options={purposes} onChange={setPurpose} />
      <Check label={words.needsKey} isOn={needsKey} onChange={setNeedsKey} />
    </Create>
  );
}

export function CreateReactor() {
  const formulas = useRead<Page<Formula>>('/reactor-formulas?size=100').data?.data ?? [];
  const [name, setName] = useState('');
  const [formula, setFormula] = useState('');
  const own = formula === '';
  return (
    <Create
      title={words.reactor}
      permission="reactor:create"
      request="POST /reactors"
      body={own ? { name, code: firstReactorCode } : { name, formula: { id: formula } }}
      isReady={name.trim() !== ''}
      pathOf={(id) => `/reactors/${id}?tab=code`}
    >
      <Field label={words.name} value={name} onChange={setName} required />
      <Choice
        label={words.code}
        value={formula}
        options={[
          ['', words.ownCode],
          ...formulas.map((one) => [one.id, words.ofFormula(one.name)] as const),
        ]}
        onChange={setFormula}
      />
    </Create>
  );
}

export function CreateFormula() {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  return (
    <Create
      title={words.formula}
      permission="reactor:create"
      request="POST /reactor-formulas"
      body={{ name, description, type: 'private', code: firstReactorCode }}
      isReady={name.trim() !== ''}
      pathOf={(id) => `/formulas/${id}?tab=code`}
    >
      <Field label={words.name} value={name} onChange={setName} required />
      <Field label={words.description} value={description} onChange={setDescription} />
    </Create>
  );
}
