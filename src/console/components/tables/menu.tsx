import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Button that opens a panel. Escape, and a click elsewhere, close it. */
export function Menu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (menu.current !== null && target instanceof Node && !menu.current.contains(target))
        menu.current.open = false;
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, []);
  return (
    <details
      class="pop"
      ref={menu}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current === null) return;
        menu.current.open = false;
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary class="button">{label}</summary>
      {isOpen && <div class="pop-panel card">{children}</div>}
    </details>
  );
}

/** Choice in a menu, which closes it. */
export function MenuItem({
  isDisabled = false,
  onChoose,
  children,
}: {
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="menu-item"
      disabled={isDisabled}
      onClick={({ currentTarget }) => {
        currentTarget.closest('details.pop')?.removeAttribute('open');
        onChoose();
      }}
    >
      {children}
    </button>
  );
}
