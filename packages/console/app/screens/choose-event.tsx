import { useState } from 'react';

import { Choice, Field } from '../parts/fields.tsx';
import { texts } from '../texts.ts';
import { forgetEvent, saveEvent, savedEvents } from './saved-events.ts';

const words = texts.trial;

/** Events to choose from; the present one can be kept under a name. */
export function ChooseEvent({
  of,
  first = '',
  text,
  onChoose,
}: {
  /** Which code ({@link placeOfEvents}). */
  readonly of: string;
  /** Name of the one that is chosen already. */
  readonly first?: string | undefined;
  readonly text: string;
  readonly onChoose: (text: string) => void;
}) {
  const [events, setEvents] = useState(() => savedEvents(of));
  const [chosen, setChosen] = useState(first);
  const [name, setName] = useState('');
  const choose = (wanted: string) => {
    const found = events.find((event) => event.name === wanted);
    setChosen(wanted);
    if (found !== undefined) onChoose(found.text);
  };
  return (
    <div className="filters">
      {events.length > 0 && (
        <Choice
          label={words.saved}
          value={chosen}
          options={[['', words.choose], ...events.map((event) => [event.name, event.name] as const)]}
          onChange={choose}
        />
      )}
      {chosen !== '' && (
        <button
          type="button"
          className="button"
          onClick={() => {
            setEvents(forgetEvent(of, chosen));
            setChosen('');
          }}
        >
          {words.forget}
        </button>
      )}
      <Field label={words.saveAs} value={name} onChange={setName} />
      <button
        type="button"
        className="button"
        disabled={name.trim() === ''}
        onClick={() => {
          setEvents(saveEvent(of, { name: name.trim(), text }));
          setChosen(name.trim());
          setName('');
        }}
      >
        {words.save}
      </button>
    </div>
  );
}
