import type { Page } from 'playwright-core';

/** Hides or shows the tab, for its scripts. A hidden page has no streams, and stays as it is. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`,
  );
}
