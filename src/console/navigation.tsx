import { useState } from 'preact/hooks';
import { can, session, signOut } from './api/session.ts';
import { navItems } from './pages.ts';
import { ThemeChoice } from './components/theme.tsx';

/** Navigation between pages, the signed-in user and the sign-out button. On a phone a menu button opens it. */
export function Navigation({ path }: { readonly path: string }) {
  const [isOpen, setOpen] = useState(false);
  const user = session.value?.user;
  return (
    <header class="top">
      <div class="top-inner">
        <a class="brand" href="/" onClick={() => setOpen(false)}>
          <img src="/icon.svg" alt="" width="28" height="28" />
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
            {navItems
              .filter(({ needs }) => can(needs))
              .map(({ path: to, also, name }) => (
                <li key={to}>
                  <a
                    href={to}
                    aria-current={isAt(path, to) || isAt(path, also) ? 'page' : undefined}
                    onClick={() => setOpen(false)}
                  >
                    {name}
                  </a>
                </li>
              ))}
          </ul>
          <ul class="user">
            <li>
              <a
                href="/account"
                aria-current={path.startsWith('/account') ? 'page' : undefined}
                onClick={() => setOpen(false)}
              >
                {user?.login}
              </a>
            </li>
            <li>
              <ThemeChoice />
            </li>
            <li>
              <button type="button" class="plain" onClick={() => void signOut()}>
                Sign out
              </button>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  );
}

/** Returns true for a page and those below it. */
function isAt(path: string, to: string | undefined): boolean {
  return to !== undefined && (path === to || path.startsWith(`${to}/`));
}
