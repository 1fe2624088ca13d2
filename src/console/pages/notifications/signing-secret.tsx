import { Banner } from '../../components/banner.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';

/** Dialog that shows a signing secret once. The page keeps no copy. */
export function SigningSecret({
  secret,
  note,
  onClose,
}: {
  readonly secret: string;
  /** Consequence for the secret before. */
  readonly note?: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Your signing secret" onClose={null}>
      <Banner kind="warning" title="This secret is shown only once">
        <p>Copy it now into the program that receives the events, to verify their signatures.</p>
      </Banner>
      <pre tabIndex={0} aria-label="Signing secret">
        <code>{secret}</code>
      </pre>
      {note !== undefined && <p>{note}</p>}
      <div class="actions">
        <CopyButton text={secret} what="Signing secret" />
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
