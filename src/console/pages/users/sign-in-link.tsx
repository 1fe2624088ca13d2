import type { Body } from '../../api/client.ts';
import { Banner } from '../../components/banner.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Moment } from '../../components/values.tsx';

/** Dialog that shows a sign-in link once. The page keeps no copy. */
export function SignInLink({
  invitation: { login, link, link_expires_at: until, mail },
  onClose,
}: {
  readonly invitation: Body<'Invitation'>;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`Sign-in link for ${login}`} onClose={null}>
      <Banner kind="warning" title="This link is shown only once">
        <p>
          It works once, until <Moment at={until} />. Send it only to {login}: it signs in its reader.
        </p>
      </Banner>
      {mail === 'sent' && <Banner kind="good" title={`Sent to ${login}`} />}
      {mail === 'failed' && (
        <Banner kind="error" title="The e-mail was not sent">
          <p>The mail server did not take it. Copy the link and send it yourself.</p>
        </Banner>
      )}
      <pre tabIndex={0} aria-label="Sign-in link">
        <code>{link}</code>
      </pre>
      <div class="actions">
        <CopyButton text={link} what="Sign-in link" />
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
