import type { Body } from '../../api/client.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/banner.tsx';

/** A new key, shown this once; it is in no other place of the page, and gone when this is closed. */
export function NewKey({
  created,
  old,
  onClose,
}: {
  readonly created: Body<'CreatedApiKey'>;
  /** The key in whose place it stands. */
  readonly old: Body<'ApiKey'> | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Your new key" onClose={null}>
      <Notice kind="warning" title="It is shown this once.">
        <p>
          Copy it now and keep it where your programs keep secrets. We do not have it either: nobody can show
          it again.
        </p>
      </Notice>
      <pre tabIndex={0} aria-label="The key">
        <code>{created.key}</code>
      </pre>
      {old !== null && (
        <Notice kind="info" title={`The old key, ${old.hint}, has stopped working.`}>
          <p>Programs that still send it are refused. Give them the new one.</p>
        </Notice>
      )}
      <div class="actions">
        <CopyButton text={created.key} what="The key" />
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
