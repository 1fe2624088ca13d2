import { Page } from '../components/page.tsx';

/** There is no such page. */
export function NotFound() {
  return (
    <Page title="There is no such page">
      <p>
        The address may be misspelt, or what it led to is gone. <a href="/">Go to the start</a>
      </p>
    </Page>
  );
}
