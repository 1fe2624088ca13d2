import type { Body } from '../../api/client.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Banner } from '../../components/banner.tsx';

/** Dialog that shows a new key once. The page keeps no copy. */
export function NewKey({
  created,
  old,
  onClose,
}: {
  readonly created: Body<'CreatedApiKey'>;
  /** Key that the new one replaces; null without one. */
  readonly old: Body<'ApiKey'> | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Your new API key" onClose={null}>
      <Banner kind="warning" title="This key is shown only once">
        <p>Copy it now and store it with your other secrets. Nightshift cannot show it again.</p>
      </Banner>
      <pre tabIndex={0} aria-label="API key">
        <code>{created.key}</code>
      </pre>
      {old !== null && (
        <Banner kind="info" title={`The old key, ${old.hint}, no longer works`}>
          <p>Update all programs that use it.</p>
        </Banner>
      )}
      <div class="actions">
        <CopyButton text={created.key} what="API key" />
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
