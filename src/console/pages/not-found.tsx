import { Page } from '../components/page.tsx';
import { places } from '../places.ts';

/** Page for unknown addresses. */
export function NotFound() {
  return (
    <Page title="Page not found" lead="There is no page at this address. It may have been moved or deleted.">
      <ul class="actions plain-list">
        <li>
          <a class="button primary" href="/">
            Go to the start page
          </a>
        </li>
        {places.map(({ name, items: [first] }) => (
          <li key={name}>
            <a class="button" href={first.path}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
}
