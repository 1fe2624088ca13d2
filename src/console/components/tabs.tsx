import { useLocation } from 'preact-iso';

/** Tabs, each with its own URL. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly path: string; readonly name: string }[];
}) {
  const { path } = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ path: to, name }) => (
          <li key={to}>
            <a href={to} aria-current={path === to ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
