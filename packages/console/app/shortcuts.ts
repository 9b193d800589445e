import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';

import { places } from './places.ts';

/** So long after `g` the letter of a screen counts, in milliseconds. */
const chordMs = 3000;
const stored = 'glovebox.single-keys';

/** The keys that open something over a screen. */
export interface Opened {
  readonly palette: () => void;
  readonly list: () => void;
}

/** Ctrl K or ⌘K, and single keys while nothing is written and no dialog is open. */
export function useShortcuts(opened: Opened): void {
  const [, go] = useLocation();
  // When `g` was pressed.
  const chord = useRef<number>(undefined);
  useEffect(() => {
    const single = (event: KeyboardEvent): boolean => {
      const began = chord.current;
      chord.current = undefined;
      if (began !== undefined && event.timeStamp - began < chordMs) {
        const place = places.flatMap(([, own]) => own).find(({ key }) => key === event.key);
        if (place !== undefined) go(place.path);
        return place !== undefined;
      }
      if (event.key === 'g') chord.current = event.timeStamp;
      else if (event.key === '?') opened.list();
      else if (event.key === '/') return focusFilter();
      return event.key === '?';
    };
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        opened.palette();
      } else if (isSingle(event) && single(event)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [opened, go]);
}

function isSingle(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return false;
  // Shift is part of `?` on many keyboards; alone it begins nothing and ends nothing.
  if (event.key === 'Shift' || !singleKeysOn() || document.querySelector('dialog[open]') !== null)
    return false;
  // The editor is in a shadow root: the first of the path is where the key goes.
  const [target] = event.composedPath();
  return !(
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function focusFilter(): boolean {
  const field = document.querySelector<HTMLElement>('main form[role="search"] :is(input, select, textarea)');
  field?.focus();
  return field !== null;
}

/** People who dictate to the browser may press keys without meaning to (WCAG 2.2, 2.1.4): single keys can be turned off. */
export function useSingleKeys(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(singleKeysOn);
  return [
    isOn,
    (next) => {
      setOn(next);
      keep(next);
    },
  ];
}

let isOnHere = readKept();

function singleKeysOn(): boolean {
  return isOnHere;
}

function readKept(): boolean {
  try {
    return localStorage.getItem(stored) !== 'off';
  } catch {
    // Storage may be forbidden: then it holds until the page is loaded anew.
    return true;
  }
}

function keep(isOn: boolean): void {
  isOnHere = isOn;
  try {
    if (isOn) localStorage.removeItem(stored);
    else localStorage.setItem(stored, 'off');
  } catch {
    // As above.
  }
}
