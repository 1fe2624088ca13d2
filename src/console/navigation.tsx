import { useState } from 'preact/hooks';
import { useAccountStatus } from './api/account-status.ts';
import { can, session, signOut } from './api/session.ts';
import { CommandBar } from './command-bar/command-bar.tsx';
import { formatCounted, formatCredits } from './components/format.ts';
import { itemAt, placeAt, places, type NavItem } from './places.ts';

/** Bar with the five places, the state of the account, and the user. On a phone a menu button opens it. */
export function Navigation({ path }: { readonly path: string }) {
  const [isOpen, setOpen] = useState(false);
  const current = placeAt(path);
  const close = () => setOpen(false);
  return (
    <header>
      <div class="top">
        <div class="top-inner">
          <a class="brand" href="/" aria-current={path === '/' ? 'page' : undefined} onClick={close}>
            <img src="/icon.svg" alt="" width="24" height="24" />
            Nightshift
          </a>
          <button
            type="button"
            class="menu"
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </button>
          <nav id="navigation" aria-label="Pages" class={isOpen ? 'open' : undefined}>
            <ul>
              {places.map((place) => {
                const first = place.items.find(isShown);
                return (
                  first !== undefined && (
                    <li key={place.name}>
                      <a
                        href={first.path}
                        aria-current={place === current ? 'true' : undefined}
                        onClick={close}
                      >
                        {place.name}
                      </a>
                    </li>
                  )
                );
              })}
            </ul>
            <CommandBar />
            <User onClick={close} />
          </nav>
        </div>
      </div>
      {current !== undefined && (
        <PlaceTabs path={path} name={current.name} items={current.items.filter(isShown)} />
      )}
    </header>
  );
}

function isShown({ needs }: NavItem): boolean {
  return needs === '' || can(needs);
}

/** Links to the active batches, the balance and the user. */
function User({ onClick }: { readonly onClick: () => void }) {
  const { credits, active } = useAccountStatus();
  const [first] = active;
  return (
    <ul class="user">
      {first !== undefined && (
        <li>
          <a href={active.length === 1 ? `/batches/${first.id}` : '/batches'} onClick={onClick}>
            {active.length === 1
              ? progressOf(first)
              : formatCounted(active.length, 'active batch', 'active batches')}
          </a>
        </li>
      )}
      {credits !== null && (
        <li>
          <a href="/credits" onClick={onClick}>
            {formatCredits(credits)} credits
          </a>
        </li>
      )}
      <li>
        <a href="/account" onClick={onClick}>
          {session.value?.user?.login}
        </a>
      </li>
      <li>
        <button type="button" class="plain" onClick={() => void signOut()}>
          Sign out
        </button>
      </li>
    </ul>
  );
}

function progressOf({
  state,
  lookups: { total, open },
}: {
  readonly state: string;
  readonly lookups: { readonly total: number; readonly open: number };
}): string {
  if (state === 'loading' || total === 0) return 'Loading a batch';
  const share = `${Math.floor((100 * (total - open)) / total)}%`;
  return state === 'running' ? `Running: ${share}` : `Waiting: ${share}`;
}

/** Pages of a place; empty for a place with one page. */
function PlaceTabs({
  path,
  name,
  items,
}: {
  readonly path: string;
  readonly name: string;
  readonly items: readonly NavItem[];
}) {
  if (items.length < 2) return null;
  const current = itemAt(path, items);
  return (
    <nav class="place" aria-label={name}>
      <ul>
        {items.map((item) => (
          <li key={item.path}>
            <a
              href={item.path}
              aria-current={item === current ? 'page' : undefined}
              {...(item.isOutside === true ? { target: '_blank', rel: 'noopener' } : {})}
            >
              {item.name}
              {item.isOutside === true && <span class="hidden"> (opens in a new tab)</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
