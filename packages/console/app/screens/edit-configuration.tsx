import { useState } from 'react';

import { Field } from '../parts/fields.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts.ts';

const words = texts.configuration;

/** What is to be set; null: removed. */
export type Entries = Readonly<Record<string, string | null>>;

/** Secrets of a configuration: they can be replaced and removed, and nobody reads them here. */
export function EditConfiguration({
  names,
  entries,
  onChange,
}: {
  /** Of those that are there. */
  readonly names: readonly string[];
  readonly entries: Entries;
  readonly onChange: (entries: Entries) => void;
}) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const all = [...new Set([...names, ...Object.keys(entries)])];
  const keep = (kept: string) =>
    onChange(Object.fromEntries(Object.entries(entries).filter(([one]) => one !== kept)));
  const set = () => {
    onChange({ ...entries, [name.trim()]: value });
    setName('');
    setValue('');
  };
  return (
    <section aria-labelledby="configuration" className="wide">
      <h2 id="configuration">{words.title}</h2>
      <p className="soft">{words.hint}</p>
      {all.length > 0 && (
        <Table
          label={words.title}
          rows={all.map((one) => ({ id: one }))}
          columns={[
            [words.name, ({ id }) => <code>{id}</code>],
            [words.value, ({ id }) => stateOf(id, entries)],
            [
              texts.actions.title,
              ({ id }) => (
                <Acts
                  isChanged={entries[id] !== undefined}
                  replace={() => setName(id)}
                  remove={() => onChange({ ...entries, [id]: null })}
                  keep={() => keep(id)}
                />
              ),
            ],
          ]}
        />
      )}
      <div className="filters">
        <Field label={words.name} value={name} onChange={setName} />
        <Field label={words.newValue} type="password" value={value} onChange={setValue} />
        <button type="button" className="button" disabled={name.trim() === '' || value === ''} onClick={set}>
          {words.set}
        </button>
      </div>
    </section>
  );
}

function Acts({
  isChanged,
  replace,
  remove,
  keep,
}: {
  readonly isChanged: boolean;
  readonly replace: () => void;
  readonly remove: () => void;
  readonly keep: () => void;
}) {
  if (isChanged) {
    return (
      <button type="button" className="button" onClick={keep}>
        {words.keep}
      </button>
    );
  }
  return (
    <span className="row">
      <button type="button" className="button" onClick={replace}>
        {words.replace}
      </button>
      <button type="button" className="button danger" onClick={remove}>
        {words.remove}
      </button>
    </span>
  );
}

function stateOf(name: string, entries: Entries) {
  const entry = entries[name];
  if (entry === undefined) return <span className="faint">{words.hidden}</span>;
  return entry === null ? words.isRemoved : words.isNew;
}
