import { CloseRow, Dialog } from './parts/parts.tsx';
import { places } from './places.ts';
import { useSingleKeys } from './shortcuts.ts';
import { texts } from './texts.ts';

const words = texts.shortcuts;

/** All keys that do something: docs/console.md has the same list. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys();
  const screens = places.flatMap(([, own]) => own.map(({ key, name }) => [`g ${key}`, name] as const));
  return (
    <Dialog title={words.title} onClose={onClose}>
      {[words.anywhere, words.lists, words.editor].map(([title, keys]) => (
        <Keys key={title} title={title} keys={keys} />
      ))}
      <Keys title={words.screens} keys={screens} />
      <label className="row">
        <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.target.checked)} />
        {words.single}
      </label>
      <CloseRow onClose={onClose} />
    </Dialog>
  );
}

function Keys({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, does: string])[];
}) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <dl className="keys">
        {keys.map(([pressed, does]) => (
          <div key={pressed}>
            <dt>
              <kbd>{pressed}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
