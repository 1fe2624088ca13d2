import { Page } from '../components/page.tsx';

/** Page for unknown paths. */
export function NotFound() {
  return (
    <Page title="Page not found">
      <p>
        Check the address, or <a href="/">go to your batches</a>.
      </p>
    </Page>
  );
}
