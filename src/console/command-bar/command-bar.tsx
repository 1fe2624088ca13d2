import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Dialog } from '../components/dialog.tsx';
import { findCommands, type Command } from './commands.ts';
import { useCommands } from './use-commands.ts';

/** Button of the command bar. Ctrl+K opens the bar, too; `/` goes to the search field of the page, or opens the bar without one. */
export function CommandBar() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCtrlK = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!(isCtrlK || isSlash) || document.querySelector('dialog[open]') !== null) return;
      if (isSlash && isTyping(event.target)) return;
      event.preventDefault();
      const field = isSlash ? document.querySelector<HTMLInputElement>('main input[type="search"]') : null;
      if (field === null) setOpen(true);
      else field.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button type="button" class="go-to" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        Go to …<kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {isOpen && <Commands onClose={() => setOpen(false)} />}
    </>
  );
}

function Commands({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const found = findCommands(useCommands(), text);
  const chosen = Math.min(active, found.length - 1);
  const open = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    if (command.isOutside === true) window.open(command.href, '_blank', 'noopener');
    else route(command.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(found[chosen]);
    else if (step === undefined || found.length === 0) return;
    else setActive((chosen + step + found.length) % found.length);
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        class="command-text"
        role="combobox"
        aria-label="Page, batch or schedule"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        aria-autocomplete="list"
        placeholder="Page, batch or schedule"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="commands" role="listbox" id={id} aria-label="Matches">
        {found.map((command, i) => (
          <li
            key={command.href}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onPointerMove={() => setActive(i)}
            onClick={() => open(command)}
          >
            <span>{command.name}</span> <span class="quiet small">{command.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p class="quiet" role="status">
          Nothing matches. Try fewer words.
        </p>
      )}
    </Dialog>
  );
}

/** True when the user types into a control, where a slash is text. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
